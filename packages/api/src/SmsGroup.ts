/**
 * The SMS channel.
 */
import { Envelope } from "@watchword/pagination/Envelope"
import { ListBody } from "@watchword/pagination/ListBody"
import { MessageId } from "@watchword/schemas/MessageId"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { ReportSms, Sdr, SendSms, Sender, SmsReported, SmsSent, Text } from "@watchword/schemas/Sms"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Access from "./Access.ts"
import { Authorization, ErrorEnvelope } from "./Authorization.ts"
import { BadRequest, Conflict, NotFound, TooManyRequests, sendErrors } from "./Errors.ts"

const messageId = MessageId.make("0199a1c6-2f00-8000-8000-000000000000")

const send = HttpApiEndpoint.post("send", "/sms", {
  payload: SendSms.annotate({
    identifier: "SendSms",
    description:
      "`to` in E.164; `text` of 1 to 4096 characters, split into parts when it is long; " +
      "`from` an alphanumeric or numeric sender, by default the account's; " +
      "`ttl` the seconds after which the text is neither sent nor delivered, by default 600 for a text with a code; " +
      "`tlvs` optional parameters that the carrier asks for, as texts by their hexadecimal tags from 1400 to 3FFF.",
    examples: [
      {
        to: E164.make("+4915123456789"),
        text: Text.make("Your code is 123456"),
        from: Sender.make("Watchword"),
        ttl: 300,
        tlvs: { "1401": "1107160000000000001" }
      }
    ]
  }),
  success: SmsSent.annotate({
    identifier: "SmsSent",
    description: "The message was handed to a carrier.",
    examples: [{ messageId, from: "Watchword", to: "+4915123456789" }]
  }),
  error: sendErrors
}).annotateMerge(
  OpenApi.annotations({
    summary: "Send a text message",
    description: "Sends a text message. Its later statuses are on its delivery record."
  })
)

const Record = Sdr.annotate({ identifier: "Sdr", description: "The delivery record." })

const get = HttpApiEndpoint.get("get", "/sms/:messageId/sdr", {
  params: { messageId: Schema.String },
  success: Record,
  error: NotFound
}).annotateMerge(OpenApi.annotations({ summary: "Look up a delivery record" }))

const list = HttpApiEndpoint.post("list", "/sms/sdr", {
  payload: ListBody,
  success: Envelope(Record).annotate({ description: "A page of delivery records." }),
  error: [BadRequest, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "List delivery records",
    description: "Newest first unless `sort_by` says otherwise. A page past the end is empty and has the true totals."
  })
)

const report = HttpApiEndpoint.post("report", "/sms/webhook", {
  payload: ReportSms.annotate({
    identifier: "ReportSms",
    examples: [{ id: messageId, status: "delivered" }]
  }),
  success: SmsReported.annotate({ identifier: "SmsReported", description: "The status now on the record." }),
  error: [BadRequest, NotFound, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Report an outcome",
    description: "Reports the outcome of a message. Repeating a report is fine; contradicting one is not."
  })
)

export class SmsGroup extends HttpApiGroup.make("sms")
  .add(
    send.annotateMerge(Access.send("sms:send")),
    get.annotateMerge(Access.use("sms:read")),
    list.annotateMerge(Access.use("sms:read")),
    report.annotateMerge(Access.report("sms:report"))
  )
  .middleware(Authorization)
  .middleware(ErrorEnvelope)
  .annotateMerge(OpenApi.annotations({ title: "SMS", description: "Text messages of one part or several." })) {}
