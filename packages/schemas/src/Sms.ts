/**
 * The SMS channel on the wire: bodies, answers and the delivery record (SDR).
 *
 * Source: the interface's sections "SMS channel", "SMS delivery record" and "Outcome-reporting endpoints".
 */
import * as Schema from "effect/Schema"
import { clientFacts } from "./internal/ClientFacts.ts"
import { guardReasons } from "./internal/GuardReasons.ts"
import { field, impersonal, named, optional, personal, request, time } from "./Field.ts"
import { example } from "./internal/example.ts"
import { createdAt, keptText, ok, price, sentTo, to, uuid } from "./SharedFields.ts"
import { MessageId } from "./internal/MessageId.ts"
import { otherSpelling } from "./PhoneNumber.ts"
import { ignored } from "./internal/UnknownFields.ts"

export { codeIn, hasCode } from "./internal/CodeInText.ts"
export { MessageId, fromDeliveryId, toDeliveryId } from "./internal/MessageId.ts"

/**
 * A sender id: 1 to 11 letters, digits, spaces and `. _ & ' + -` with at least one letter, or a number of
 * 3 to 15 digits with or without a plus sign. With one it is written as recipients are.
 *
 * Source: 3GPP TS 23.040 §9.1.2.5.
 */
export const Sender = Schema.String.check(
  Schema.isPattern(
    /^(?:(?=.*[A-Za-z])[A-Za-z0-9._&'+-](?:[A-Za-z0-9 ._&'+-]{0,9}[A-Za-z0-9._&'+-])?|\+?[0-9]{3,15})$/u,
    {
      message: "must be 1 to 11 letters, digits, spaces and . _ & ' + - with at least one letter, or 3 to 15 digits"
    }
  ),
  Schema.makeFilter(otherSpelling)
).pipe(Schema.brand("Sender"))
export type Sender = typeof Sender.Type

const MAX_CHARACTERS = 4096

// Line breaks and tabs belong into texts; other control characters and halves of surrogate pairs do not.
// oxlint-disable-next-line no-control-regex
const UNSENDABLE = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]|\p{Surrogate}/u

/** A text of 1 to 4096 Unicode characters, without control characters but for line breaks and tabs. */
export const Text = Schema.String.check(
  Schema.makeFilter(
    (text) => {
      // A character is one or two code units, so most texts need not be counted.
      if (text.length === 0) return "must not be empty"
      if (text.length > MAX_CHARACTERS && (text.length > 2 * MAX_CHARACTERS || [...text].length > MAX_CHARACTERS)) {
        return `must have at most ${MAX_CHARACTERS} characters`
      }
      return UNSENDABLE.test(text) ? "must not have control characters or unpaired surrogates" : undefined
    },
    { toJsonSchema: () => [{ minLength: 1, maxLength: MAX_CHARACTERS }, true] }
  )
).pipe(Schema.brand("SmsText"))
export type Text = typeof Text.Type

/** Seconds that a text is of use, from half a minute to two days. */
export const Ttl = Schema.Int.check(
  Schema.isBetween({ minimum: 30, maximum: 172_800 }, { message: "must be 30 to 172800 seconds" })
)

const MAX_TLVS = 10

const TAG = /^(?:1[4-9a-f]|[23][0-9a-f])[0-9a-f]{2}$/i
const VALUE = /^[\x20-\x7e]{1,254}\0?$/ // oxlint-disable-line no-control-regex

/** Whether a tag is between 1400 and 3FFF (hexadecimal), the range for vendor-specific parameters. */
export const isTlvTag = (tag: string): boolean => TAG.test(tag)

/** Whether a text can be the value of an optional parameter. Some carriers want a NUL at its end. */
export const isTlvValue = (value: string): boolean => VALUE.test(value)

/**
 * Optional parameters of SMPP that carriers ask for, as texts under their hexadecimal tags: `{"1400":
 * "1101234567890"}`.
 *
 * Source: SMPP 3.4 §5.3.2 (tags from 0x1400 to 0x3FFF are the SMSC vendor's).
 */
export const Tlvs = Schema.Record(Schema.String, Schema.String).check(
  Schema.makeFilter((tlvs) => {
    const all = Object.entries(tlvs)
    if (all.length > MAX_TLVS) return `must have at most ${MAX_TLVS} parameters`
    return all.flatMap(([tag, value]) => {
      if (!isTlvTag(tag)) return [{ path: [tag], issue: "has a tag that is not one of 1400 to 3FFF, hexadecimal" }]
      return isTlvValue(value) ? [] : [{ path: [tag], issue: "must be 1 to 254 printable ASCII characters" }]
    })
  })
)

/** Body of `POST /sms`. */
export const SendSms = request({
  to,
  text: personal(field(Text, "1 to 4096 characters; a long text is split into parts, each with its price.")),
  from: impersonal(optional(Sender, "An alphanumeric or numeric sender; the account's unless given.")),
  ttl: optional(
    Ttl,
    "Seconds after which the text is neither sent nor delivered, 30 to 172800; 600 for a text with a code unless given."
  ),
  tlvs: impersonal(
    optional(
      Tlvs,
      "Optional SMPP parameters that the carrier requires, as texts keyed by hexadecimal tag from 1400 to 3FFF; at most 10."
    )
  ),
  ...clientFacts
}).annotate({
  ...ignored,
  identifier: "SendSms",
  description: "A text and whom it is for.",
  examples: [
    {
      to: example.to,
      text: Text.make("Your code is 123456"),
      from: Sender.make("Watchword"),
      ttl: 300,
      tlvs: { "1401": "1107160000000000001" }
    }
  ]
})
export type SendSms = typeof SendSms.Type

const messageId = field(MessageId, "The id of the message.")
const from = field(Schema.String, "The sender that the phone shows.")

/** Answer of `POST /sms`. */
export const SmsSent = Schema.Struct({ messageId, from, to: sentTo }).annotate({
  identifier: "SmsSent",
  description: "The message was handed to a carrier.",
  examples: [{ messageId: example.messageId, from: "Watchword", to: example.to }]
})
export type SmsSent = typeof SmsSent.Type

/** Where an SMS stands; all but `sent` are final. */
export const SmsStatus = Schema.Literals(["delivered", "sent", "failed", "undelivered"]).annotate({
  ...named("SmsStatus"),
  description: "Where a text stands; all but `sent` are final."
})
export type SmsStatus = typeof SmsStatus.Type

/** The same of a record: `blocked` was refused by a guard, and not sent. */
export const SdrStatus = Schema.Literals([...SmsStatus.literals, "blocked"])
export type SdrStatus = typeof SdrStatus.Type

/** An SMS delivery record. */
export const Sdr = Schema.Struct({
  uuid,
  messageId,
  from,
  to: sentTo,
  status: field(SdrStatus, "Where the text stands; `blocked` was refused by a guard, and not sent."),
  timestamp: time("When the status was reached."),
  created_at: createdAt,
  parts: field(Schema.Int, "How many parts the text was split into; each is priced."),
  price,
  text: keptText,
  ...guardReasons
}).annotate({
  identifier: "Sdr",
  description: "The delivery record of a text.",
  examples: [
    {
      uuid: example.uuid,
      messageId: example.messageId,
      from: "Watchword",
      to: example.to,
      status: "delivered",
      timestamp: example.time,
      created_at: example.time,
      parts: 1,
      price: 0.05
    }
  ]
})
export type Sdr = typeof Sdr.Type

/** Body of `POST /sms/webhook`. */
export const ReportSms = request({
  id: impersonal(field(Schema.String, "The `messageId` of the text.")),
  status: field(SmsStatus, "What you know of the text, for example `delivered` once its user has entered the code.")
}).annotate({ ...ignored, identifier: "ReportSms", examples: [{ id: example.messageId, status: "delivered" }] })
export type ReportSms = typeof ReportSms.Type

/** Answer of `POST /sms/webhook`: the status now on the record. */
export const SmsReported = Schema.Struct({
  message: ok,
  id: messageId,
  status: field(SmsStatus, "The status now on the record.")
}).annotate({
  identifier: "SmsReported",
  description: "The status now on the record.",
  examples: [{ message: "OK", id: example.messageId, status: "delivered" }]
})
export type SmsReported = typeof SmsReported.Type
