/**
 * The front door: `createWatchword` and the types around it.
 */
export type { Keys } from "./Arguments.ts"
export type { DirectBusinessChat } from "./DirectBusinessChat.ts"
export type { DirectCall } from "./DirectCall.ts"
export type { DirectChat } from "./DirectChat.ts"
export type { DirectSms } from "./DirectSms.ts"
export type { BalanceInEuros, NewKey, Operator } from "./Operator.ts"
export type { Caller } from "./Principals.ts"
export { type Options, type Watchword, createWatchword } from "./Watchword.ts"
