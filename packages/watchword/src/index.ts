export type { DirectSms, Keys } from "./DirectSms.ts"
export type { BalanceInEuros, NewKey, Operator } from "./Operator.ts"
export type { Caller } from "./Principals.ts"
export { type Options, type Watchword, createWatchword } from "./Watchword.ts"
