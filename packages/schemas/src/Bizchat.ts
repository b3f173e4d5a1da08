/**
 * The business-chat channel on the wire: bodies, answers and the delivery record (WDR).
 *
 * Source: the interface's sections "Business-chat channel", "Business-chat delivery record (WDR)" and
 * "Outcome-reporting endpoints".
 */
import * as Schema from "effect/Schema"
import { clientFacts } from "./internal/ClientFacts.ts"
import { guardReasons } from "./internal/GuardReasons.ts"
import { field, impersonal, optional, personal, request } from "./Field.ts"
import { example } from "./internal/example.ts"
import { createdAt, isRefunded, keptText, ok, price, reported, sentTo, to, uuid } from "./SharedFields.ts"
import { Text } from "./Sms.ts"
import { ignored } from "./internal/UnknownFields.ts"

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
export const SendOtp = request({
  to,
  text: personal(field(Text, "1 to 4096 characters, with the code in it and how long it is valid.")),
  code: personal(
    optional(
      BusinessCode,
      "The code, 1 to 15 letters, digits and dashes, where it cannot be found in the text: templates have a place of their own " +
        "for it."
    )
  ),
  locale: impersonal(
    optional(
      Locale,
      "The reader's language, as a BCP 47 tag: the template is sent in it where it is translated to it, otherwise in the " +
        "operator's language."
    )
  ),
  ...clientFacts
}).annotate({
  ...ignored,
  identifier: "SendOtp",
  description: "A text with a code, and whom it is for.",
  examples: [{ to: example.to, text: Text.make("Your code is 123456. It is valid for 10 minutes.") }]
})
export type SendOtp = typeof SendOtp.Type

/** Answer of `POST /bizchat/otp`. */
export const OtpSent = Schema.Struct({ uuid, to: sentTo }).annotate({
  identifier: "OtpSent",
  description: "The platform has taken the text.",
  examples: [{ uuid: example.uuid, to: example.to }]
})
export type OtpSent = typeof OtpSent.Type

/** How far a text got. */
export const BizchatStatus = Schema.Literals(["sent", "delivered", "read", "failed"])
export type BizchatStatus = typeof BizchatStatus.Type

/** The same of a record: `blocked` was refused by a guard, and not sent. */
export const WdrStatus = Schema.Literals([...BizchatStatus.literals, "blocked"])
export type WdrStatus = typeof WdrStatus.Type

/** A business-chat delivery record. */
export const Wdr = Schema.Struct({
  uuid,
  to: sentTo,
  status: field(Schema.String, "How far the text got: SENT, DELIVERED, READ, FAILED or BLOCKED."),
  created_at: createdAt,
  error_code: field(Schema.NullOr(Schema.Int), "The platform's code of an error; null without one."),
  price,
  is_refunded: isRefunded,
  text: keptText,
  ...guardReasons
}).annotate({
  identifier: "Wdr",
  description: "The delivery record of a business chat message.",
  examples: [
    {
      uuid: example.uuid,
      to: example.to,
      status: "DELIVERED",
      created_at: example.time,
      error_code: null,
      price: 0.05,
      is_refunded: false
    }
  ]
})
export type Wdr = typeof Wdr.Type

/** Outcome of a text as the account reports it. */
export const BizchatOutcome = Schema.Literals(["Success", "Failed"])
export type BizchatOutcome = typeof BizchatOutcome.Type

/** Body of `POST /bizchat/webhook`. */
export const ReportBizchat = request({
  uuid: reported("text"),
  status: field(BizchatOutcome, "What you know of the text.")
}).annotate({ ...ignored, identifier: "ReportBizchat", examples: [{ uuid: example.uuid, status: "Success" }] })
export type ReportBizchat = typeof ReportBizchat.Type

/** Answer of `POST /bizchat/webhook`: the status now on the record, in upper case. */
export const BizchatReported = Schema.Struct({
  message: ok,
  uuid,
  status: field(Schema.String, "The status now on the record, in upper case.")
}).annotate({
  identifier: "BizchatReported",
  description: "The status now on the record.",
  examples: [{ message: "OK", uuid: example.uuid, status: "DELIVERED" }]
})
export type BizchatReported = typeof BizchatReported.Type
