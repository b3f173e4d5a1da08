/**
 * The front door: `createWatchword` and the types around it.
 */
export type { BuiltIn } from "./Channels.ts"
export type { Direct, Directs } from "./internal/Direct.ts"
export type { Keys } from "./internal/Keys.ts"
export type { AccountInEuros, Adjusted, BalanceInEuros, EntryInEuros, NewKey, Operator } from "./internal/Operator.ts"
export type { Caller } from "./internal/Principals.ts"
export { type Options, type Service, type Watchword, createWatchword } from "./Watchword.ts"
