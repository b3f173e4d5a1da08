/**
 * The business-chat channel on the wire: bodies, answers and the delivery record (WDR).
 *
 * Source: the interface's sections "Business-chat channel", "Business-chat delivery record (WDR)" and
 * "Outcome-reporting endpoints".
 */
import * as Schema from "effect/Schema"
import { clientFacts } from "./ClientFacts.ts"
import { guardReasons } from "./GuardReasons.ts"
import { DeliveryId } from "./Ids.ts"
import { E164 } from "./PhoneNumber.ts"
import { Text } from "./Sms.ts"
import { ignored } from "./UnknownFields.ts"

/** A code that is given apart from its text: 1 to 15 letters, digits and dashes. */
export const BusinessCode = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9-]{1,15}$/u, { message: "must be 1 to 15 letters, digits and dashes" })
).pipe(Schema.brand("BusinessCode"))
export type BusinessCode = typeof BusinessCode.Type

const LONGEST_LOCALE = 35

/** The reader's language, as a BCP 47 tag such as `de` or `pt-BR`. */
export const Locale = Schema.String.check(
  Schema.makeFilter(
    (text) =>
      text.length <= LONGEST_LOCALE && isLocale(text)
        ? undefined
        : "must be a BCP 47 language tag, such as de or pt-BR",
    { toJsonSchema: () => [{ minLength: 2, maxLength: LONGEST_LOCALE }, true] }
  )
).pipe(Schema.brand("Locale"))
export type Locale = typeof Locale.Type

const isLocale = (text: string): boolean => {
  try {
    return new Intl.Locale(text).language !== "und"
  } catch {
    return false
  }
}

/** Body of `POST /bizchat/otp`. Without `code` the code is looked for in the text, where a template needs it. */
export const SendOtp = Schema.Struct({
  to: E164,
  text: Text,
  code: Schema.optionalKey(BusinessCode),
  locale: Schema.optionalKey(Locale),
  ...clientFacts
}).annotate(ignored)
export type SendOtp = typeof SendOtp.Type

/** Answer of `POST /bizchat/otp`. */
export const OtpSent = Schema.Struct({ uuid: DeliveryId, to: Schema.String })
export type OtpSent = typeof OtpSent.Type

/** How far a text got. */
export const BusinessChatStatus = Schema.Literals(["sent", "delivered", "read", "failed"])
export type BusinessChatStatus = typeof BusinessChatStatus.Type

/** The same of a record: `blocked` was refused by a guard, and not sent. */
export const WdrStatus = Schema.Literals([...BusinessChatStatus.literals, "blocked"])
export type WdrStatus = typeof WdrStatus.Type

/** A business-chat delivery record. */
export const Wdr = Schema.Struct({
  uuid: DeliveryId,
  to: Schema.String,
  /** The status in upper case: SENT, DELIVERED, READ, FAILED or BLOCKED. */
  status: Schema.String,
  /** ISO 8601 in UTC. */
  created_at: Schema.String,
  /** The platform's error code. */
  error_code: Schema.NullOr(Schema.Int),
  /** Price in EUR, and whether it was refunded. */
  price: Schema.Finite,
  is_refunded: Schema.Boolean,
  /** The text, where the account keeps texts. */
  text: Schema.optionalKey(Schema.String),
  ...guardReasons
})
export type Wdr = typeof Wdr.Type

/** Outcome of a text as the account reports it. */
export const BusinessChatOutcome = Schema.Literals(["Success", "Failed"])
export type BusinessChatOutcome = typeof BusinessChatOutcome.Type

/** Body of `POST /bizchat/webhook`. */
export const ReportBusinessChat = Schema.Struct({ uuid: Schema.String, status: BusinessChatOutcome }).annotate(ignored)
export type ReportBusinessChat = typeof ReportBusinessChat.Type

/** Answer of `POST /bizchat/webhook`: the status now on the record, in upper case. */
export const BusinessChatReported = Schema.Struct({
  message: Schema.Literal("OK"),
  uuid: DeliveryId,
  status: Schema.String
})
export type BusinessChatReported = typeof BusinessChatReported.Type
