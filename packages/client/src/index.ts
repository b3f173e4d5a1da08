/**
 * The typed client of a Watchword server: promises on `fetch`, without a dependency.
 */
export type { Bizchat, BizchatReported, OtpSent, ReportBizchat, SendOtp, Wdr } from "./Bizchat.ts"
export type { CallOutcome, CallReported, Calls, Cdr, FlashCall, FlashCalled, ReportCall } from "./Calls.ts"
export type {
  Chatgw,
  ChatgwCodeChecked,
  ChatgwCodeStatus,
  ChatgwReported,
  ChatgwStatus,
  CheckChatgwCode,
  CheckSendAbility,
  CodeSent,
  ReportChatgw,
  RevokeCode,
  Revoked,
  SendAbility,
  SendCode,
  Tdr
} from "./Chatgw.ts"
export { type Client, createClient } from "./Client.ts"
export type { ClientFacts } from "./ClientFacts.ts"
export type { Convention, OverHttp } from "./Convention.ts"
export {
  BadRequest,
  BusyHere,
  Conflict,
  Decline,
  Forbidden,
  InternalServerError,
  NotFound,
  PaymentRequired,
  ServiceUnavailable,
  TemporaryUnavailable,
  TooManyRequests,
  Unauthorized
} from "./ApiErrors.ts"
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
  apiError,
  isWatchwordError
} from "./Errors.ts"
export {
  type Bounds,
  type Condition,
  type Filter,
  type ListBody,
  type Listed,
  type Listing,
  type Page,
  listingOf
} from "./Lists.ts"
export type { RefusedRequest, Requests } from "./Requests.ts"
export type { Since, VerificationFields } from "./Names.ts"
export type { CallOptions, ClientOptions, Fetch, KeyedOptions } from "./Options.ts"
export type {
  CallEvent,
  Inbox,
  InboxMessage,
  InboxQuery,
  MessageEvent,
  MessageState,
  Phone,
  PhoneActResult,
  PhoneActed,
  PhoneCall,
  PhoneEvent,
  PhoneEvents,
  PhoneEventsQuery,
  PhoneMessage,
  PhoneMode,
  PhoneQuery,
  Phones,
  PostCallEvent,
  PostMessageEvent,
  PostPhoneCall,
  PostPhoneLogin,
  PostPhoneText,
  Sandbox,
  SetPhone
} from "./Sandbox.ts"
export type { ReportSms, Sdr, SendSms, Sms, SmsReported, SmsSent, SmsStatus } from "./Sms.ts"
export type {
  Assurance,
  Attempt,
  Bind,
  CheckVerification,
  EnteredCode,
  NextStep,
  Presented,
  ReceiveForm,
  Received,
  ReceivedResult,
  ReportVerification,
  StartVerification,
  Step,
  StepChannel,
  Verification,
  VerificationChecked,
  VerificationQuery,
  VerificationStatus,
  VerifiedNumber,
  Verify
} from "./Verify.ts"
