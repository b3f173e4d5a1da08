/**
 * The front door: `createWatchword`, its options, the answers of its direct calls, and the errors that they reject
 * with.
 */
export {
  type ApiError,
  BadRequest,
  BusyHere,
  Conflict,
  Decline,
  type ErrorCode,
  Forbidden,
  InternalServerError,
  type Issue,
  NotFound,
  PaymentRequired,
  ServiceUnavailable,
  TemporaryUnavailable,
  TooManyRequests,
  Unauthorized,
  WatchwordError,
  isWatchwordError
} from "@watchword/client"
export type {
  Attempt,
  BizchatReported,
  CallOutcome,
  CallReported,
  Cdr,
  ChatgwCodeChecked,
  ChatgwCodeStatus,
  ChatgwReported,
  ChatgwStatus,
  CheckChatgwCode,
  CheckSendAbility,
  CheckVerification,
  ClientFacts,
  CodeSent,
  FlashCall,
  FlashCalled,
  Inbox,
  InboxMessage,
  InboxQuery,
  ListBody,
  Listing,
  NextStep,
  OtpSent,
  Page,
  ReportBizchat,
  ReportCall,
  ReportChatgw,
  ReportSms,
  ReportVerification,
  RevokeCode,
  Revoked,
  Sdr,
  SendAbility,
  SendCode,
  SendOtp,
  SendSms,
  SmsReported,
  SmsSent,
  SmsStatus,
  StartVerification,
  Step,
  StepChannel,
  Tdr,
  Verification,
  VerificationChecked,
  VerificationStatus,
  Wdr
} from "@watchword/client"
export type { Event, EventOf, EventPattern, EventType } from "@watchword/schemas/Event"
export type { Handled as HandledEvent, Handler as EventHandler } from "@watchword/events/Events"
export type { BuiltIn } from "./internal/Channels.ts"
export {
  type Console,
  type ConsoleOptions,
  type ConsoleRequest,
  type Operator as ConsoleOperator,
  watchwordConsole
} from "./internal/Console.ts"
export { type Door, type DoorAnswers, type DoorCaller, type DoorCredentials, doorOf } from "./internal/Door.ts"
export type { Direct, Directs } from "./internal/Direct.ts"
export type { Groups, InProcess } from "./internal/InProcess.ts"
export type { BeforeSendAnswer, BeforeSendCheck, BeforeSendQuestion } from "@watchword/guards/Guards"
export type { BeforeSend } from "./internal/BeforeSending.ts"
export type { GuardRules } from "./internal/Guarding.ts"
export type { Keys } from "./internal/Keys.ts"
export type { Clock } from "./internal/OwnClock.ts"
export type { Operator } from "@watchword/operator/Operator"
export { type AlarmOptions, type Alarms, alarms } from "./internal/Alarming.ts"
export { operatorOf } from "./internal/Operating.ts"
export type { Caller } from "./internal/Principals.ts"
export type { Fields, Logger } from "./internal/Logger.ts"
export { memory } from "@watchword/store/MemoryStore"
export { type Parsed as ParsedNumber, parse } from "@watchword/schemas/PhoneNumber"
export { type Options, type Service, type Watchword, createWatchword } from "./internal/Watchword.ts"
