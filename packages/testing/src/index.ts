/**
 * The test kit of Watchword: a service in memory, an inbox with what phones would show, a clock, and failures at will.
 */
export { type Expected, type Inbox, type Message, NoMessage } from "./Inbox.ts"
export type { Failing } from "./internal/Script.ts"
export type { Acting, Arriving, Phone, Phones, Writing } from "./Phones.ts"
export type { CallOutcome, ChannelName, ChatgwOutcome, Outcomes, TextOutcome } from "@watchword/sandbox/simulator"
export { type Kit, type KitClock, type Options, startWatchword } from "./startWatchword.ts"
export { type Parsed as ParsedNumber, parse } from "@watchword/schemas/PhoneNumber"
export {
  type Answer,
  type SmsApi,
  type TelegramApi,
  type WhatsAppApi,
  smsApi,
  telegramApi,
  telegramError,
  twilioApi,
  twilioError,
  vonageApi,
  vonageError,
  whatsAppApi,
  whatsAppError
} from "@watchword/sandbox/http"
export { type Smsc, type SmscOptions, receipt, smsc } from "@watchword/sandbox/smsc"
export { type Trunk, type TrunkCall, type TrunkOptions, trunk } from "@watchword/sandbox/trunk"
