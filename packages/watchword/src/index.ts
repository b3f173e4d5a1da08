/**
 * The front door: `createWatchword` and the types around it.
 */
export type { BuiltIn } from "./Channels.ts"
export type { Direct, Directs } from "./Direct.ts"
export type { Keys } from "./Keys.ts"
export type { BalanceInEuros, NewKey, Operator } from "./Operator.ts"
export type { Caller } from "./Principals.ts"
export { type Options, type Service, type Watchword, createWatchword } from "./Watchword.ts"
