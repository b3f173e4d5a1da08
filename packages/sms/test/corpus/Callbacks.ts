/**
 * What providers of SMS post to the address of receipts: statuses of texts, texts of users, and what else comes there.
 */
import type { SmsStatus } from "@watchword/schemas/Sms"

export interface Row {
  readonly from: string
  readonly source: string
  readonly provider: "twilio" | "vonage" | "generic"
  readonly name: string
  /** The fields of a form of Twilio's, or the JSON of others. `SID` is replaced with the provider's id of the text. */
  readonly body: Readonly<Record<string, unknown>>
  /** The record of an accepted text after it: its status, and the provider's word where that says more. */
  readonly status: SmsStatus
  readonly word: string | null
  readonly error: string | null
  /** The unrecognized words that are noted. */
  readonly unrecognized: ReadonlyArray<string>
}

const STATUSES = "Twilio, Messages resource: message status values"
const ERRORS = "Twilio, error and warning dictionary"

const twilio = (name: string, fields: Readonly<Record<string, string>>, more: Partial<Row> = {}): Row => ({
  from: "Twilio Programmable Messaging",
  source: STATUSES,
  provider: "twilio",
  name,
  body: { MessageSid: "SID", SmsSid: "SID", AccountSid: "AC0123", ...fields },
  status: "sent",
  word: fields["MessageStatus"] ?? null,
  error: fields["ErrorCode"] ?? null,
  unrecognized: [],
  ...more
})

const ofTwilio = (word: string, more: Partial<Row> = {}, fields: Readonly<Record<string, string>> = {}): Row =>
  twilio(
    fields["ErrorCode"] === undefined ? word : `${word}, error ${fields["ErrorCode"]}`,
    { MessageStatus: word, SmsStatus: word, ...fields },
    more
  )

const unwritten = { word: null, error: null } as const

const vonage = (name: string, fields: Readonly<Record<string, unknown>>, more: Partial<Row> = {}): Row => ({
  from: "Vonage Messages API v1",
  source: "Messages API, message status webhook",
  provider: "vonage",
  name,
  body: {
    message_uuid: "SID",
    from: "Acme",
    to: "4915123456789",
    channel: "sms",
    timestamp: "2027-01-31T12:00:00.000Z",
    ...fields
  },
  status: "sent",
  word: typeof fields["status"] === "string" ? fields["status"] : null,
  error: null,
  unrecognized: [],
  ...more
})

const generic = (name: string, result: Readonly<Record<string, unknown>>, more: Partial<Row> = {}): Row => ({
  from: "a provider that a description explains",
  source: "docs/sms.md, providers over HTTP",
  provider: "generic",
  name,
  body: { results: [result] },
  status: "sent",
  word: typeof result["state"] === "string" ? result["state"] : null,
  error: null,
  unrecognized: [],
  ...more
})

export const rows: ReadonlyArray<Row> = [
  ofTwilio("accepted", { word: null }),
  ofTwilio("scheduled", { word: null }),
  ofTwilio("queued", { word: null }),
  ofTwilio("sending", { word: null }),
  ofTwilio("sent", { word: null }),
  ofTwilio("delivered", { status: "delivered" }),
  ofTwilio("read", { status: "delivered" }),
  ofTwilio("undelivered", { status: "undelivered" }),
  ofTwilio("failed", { status: "failed" }),
  ofTwilio("canceled", { status: "failed" }),
  ofTwilio("partially_delivered", { unrecognized: ["receipt_state partially_delivered"] }),
  ofTwilio("undelivered", { status: "undelivered", source: `${ERRORS}: 30003` }, { ErrorCode: "30003" }),
  ofTwilio("undelivered", { status: "undelivered", source: "twilio/twilio-node#1061" }, { ErrorCode: "30034" }),
  ofTwilio("undelivered", { status: "undelivered", source: "novuhq/notification-api#1095" }, { ErrorCode: "30007" }),
  ofTwilio("failed", { status: "failed", source: `${ERRORS}: 30036` }, { ErrorCode: "30036" }),
  twilio(
    "only the older field names",
    { SmsSid: "SID", SmsStatus: "delivered", MessageSid: "SID" },
    { status: "delivered", word: "delivered", source: "Twilio, SMS status callbacks before Messages" }
  ),
  twilio(
    "a text of a user",
    {
      SmsStatus: "received",
      Body: "123456",
      From: "+4915123456789",
      To: "+4930123456",
      NumMedia: "0",
      NumSegments: "1"
    },
    { ...unwritten, source: "Twilio, webhook of incoming messages", unrecognized: ["subscriber_text received"] }
  ),
  twilio(
    "STOP",
    { SmsStatus: "received", Body: "STOP", OptOutType: "STOP", From: "+4915123456789", To: "+4930123456" },
    { ...unwritten, source: "Twilio, advanced opt-out", unrecognized: ["subscriber_text received"] }
  ),
  twilio("no status", { To: "+4915123456789" }, { ...unwritten, unrecognized: ["receipt no status"] }),
  twilio(
    "no id",
    { MessageSid: "", SmsSid: "", MessageStatus: "delivered" },
    { ...unwritten, unrecognized: ["receipt no id"] }
  ),

  vonage("submitted", { status: "submitted" }, { word: null }),
  vonage(
    "delivered",
    { status: "delivered", usage: { currency: "EUR", price: "0.0333" }, sms: { count_total: "1" } },
    { status: "delivered" }
  ),
  vonage("read", { status: "read" }, { status: "delivered" }),
  vonage(
    "undeliverable, with an error",
    {
      status: "undeliverable",
      error: {
        type: "https://developer.vonage.com/api-errors/messages#1260",
        title: 1260,
        detail: "Destination unreachable",
        instance: "x"
      }
    },
    { status: "undelivered", error: "1260" }
  ),
  vonage(
    "rejected, with only a title",
    { status: "rejected", error: { title: "1250" } },
    { status: "failed", error: "1250" }
  ),
  vonage("rejected without an error", { status: "rejected" }, { status: "failed", source: "symfony/symfony#65776" }),
  vonage("a status of an unknown kind", { status: "expired" }, { unrecognized: ["receipt_state expired"] }),
  vonage(
    "a text of a user",
    {
      from: "4915123456789",
      to: "4930123456",
      message_type: "text",
      text: "123456",
      sms: { num_messages: "1", keyword: "123456" }
    },
    { ...unwritten, source: "Messages API, inbound message webhook", unrecognized: ["subscriber_text text"] }
  ),
  vonage("no status", {}, { unrecognized: ["receipt no status"] }),
  vonage(
    "a delivery receipt of the SMS API",
    {
      message_uuid: undefined,
      msisdn: "4915123456789",
      messageId: "0A0000000123ABCD1",
      status: "delivered",
      scts: "2001011400",
      "err-code": "0"
    },
    { ...unwritten, source: "Vonage SMS API, delivery receipts", unrecognized: ["receipt no id"] }
  ),

  generic("a word of its description", { id: "SID", state: "DELIVRD" }, { status: "delivered" }),
  generic("an error", { id: "SID", state: "UNDELIV", error: "069" }, { status: "undelivered", error: "069" }),
  generic("a word that is not described", { id: "SID", state: "EXPIRED" }, { unrecognized: ["receipt_state EXPIRED"] }),
  generic("a number for a state", { id: "SID", state: 5 }, { word: "5", unrecognized: ["receipt_state 5"] }),
  generic("no id", { state: "DELIVRD" }, { ...unwritten, unrecognized: ["receipt no id"] }),
  generic("no state", { id: "SID" }, { unrecognized: ["receipt no status"] })
]
