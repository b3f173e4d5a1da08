/**
 * Text messages by providers with an HTTP API: Twilio, Vonage, and any that a description explains.
 *
 * Each is a layer for the option `sms` of `createWatchword`. They need only `fetch`, so they also run in Workers.
 */
export type { Description } from "./internal/http/Description.ts"
export { type GenericOptions, generic } from "./internal/http/Generic.ts"
export { make } from "./internal/http/HttpGateway.ts"
export { type CommonOptions, SmsHttpOptionsError } from "./internal/http/Options.ts"
export {
  type Answer,
  type Outgoing,
  type Provider,
  type Reason,
  type Receipts,
  answerOfStatus
} from "./internal/http/Provider.ts"
export { type TwilioOptions, twilio } from "./internal/http/Twilio.ts"
export { type VonageOptions, vonage } from "./internal/http/Vonage.ts"
