/**
 * The typed client of a Watchword server: promises on `fetch`, without a dependency.
 */
export type * from "./BusinessChat.ts"
export type * from "./Calls.ts"
export type * from "./Chat.ts"
export { type Client, createClient } from "./Client.ts"
export type { ClientFacts } from "./ClientFacts.ts"
export type { Convention, OverHttp, Pages } from "./Convention.ts"
export * from "./ApiErrors.ts"
export {
  type AnyWatchwordError,
  type ApiError,
  ConnectionFailed,
  type ErrorCode,
  type ErrorDetails,
  type Issue,
  TimedOut,
  UnexpectedAnswer,
  WatchwordError,
  isWatchwordError
} from "./Errors.ts"
export type { Bounds, Condition, Filter, ListBody, Listed, Listing, Page } from "./Lists.ts"
export type { Since, VerificationFields } from "./Names.ts"
export type { CallOptions, ClientOptions, Fetch, KeyedOptions } from "./Options.ts"
export type * from "./Sandbox.ts"
export type * from "./Sms.ts"
export type * from "./Verify.ts"
