/**
 * The business-chat channel.
 */
import { Envelope } from "@watchword/pagination/Envelope"
import { ListBody } from "@watchword/pagination/ListBody"
import { BusinessChatReported, OtpSent, ReportBusinessChat, SendOtp, Wdr } from "@watchword/schemas/BusinessChat"
import { DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { Text } from "@watchword/schemas/Sms"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Access from "./Access.ts"
import { Authorization, ErrorEnvelope } from "./Authorization.ts"
import { BadRequest, Conflict, NotFound, TooManyRequests, sendErrors } from "./Errors.ts"

const uuid = DeliveryId.make("01KAJ3T8ZZ0000000000000000")
const to = E164.make("+4915123456789")

const send = HttpApiEndpoint.post("send", "/bizchat/otp", {
  payload: SendOtp.annotate({
    identifier: "SendOtp",
    description:
      "`to` in E.164; `text` with the code in it and how long it is valid; `code`, where it cannot be found in the " +
      "text: templates have a place of their own for it; `locale`, the reader's language as a BCP 47 tag: the template " +
      "is sent in it where it is translated to it, otherwise in the operator's language.",
    examples: [{ to, text: Text.make("Your code is 123456. It is valid for 10 minutes.") }]
  }),
  success: OtpSent.annotate({
    identifier: "OtpSent",
    description: "The platform has taken the text.",
    examples: [{ uuid, to }]
  }),
  error: sendErrors
}).annotateMerge(OpenApi.annotations({ summary: "Send a code by business chat" }))

const Record = Wdr.annotate({ identifier: "Wdr", description: "The delivery record." })

const get = HttpApiEndpoint.get("get", "/bizchat/:uuid/wdr", {
  params: { uuid: Schema.String },
  success: Record,
  error: NotFound
}).annotateMerge(OpenApi.annotations({ summary: "Look up a delivery record" }))

const list = HttpApiEndpoint.post("list", "/bizchat/wdr", {
  payload: ListBody,
  success: Envelope(Record).annotate({ description: "A page of delivery records." }),
  error: [BadRequest, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "List delivery records",
    description: "Newest first unless `sort_by` says otherwise. A page past the end is empty and has the true totals."
  })
)

const report = HttpApiEndpoint.post("report", "/bizchat/webhook", {
  payload: ReportBusinessChat.annotate({ identifier: "ReportBusinessChat", examples: [{ uuid, status: "Success" }] }),
  success: BusinessChatReported.annotate({
    identifier: "BusinessChatReported",
    description: "The status now on the record."
  }),
  error: [BadRequest, NotFound, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Report an outcome",
    description: "Reports the outcome of a text. Repeating a report is fine; contradicting one is not."
  })
)

export class BusinessChatGroup extends HttpApiGroup.make("businessChat")
  .add(
    send.annotateMerge(Access.send("bizchat:send")),
    get.annotateMerge(Access.use("bizchat:read")),
    list.annotateMerge(Access.use("bizchat:read")),
    report.annotateMerge(Access.report("bizchat:report"))
  )
  .middleware(Authorization)
  .middleware(ErrorEnvelope)
  .annotateMerge(
    OpenApi.annotations({ title: "Business chat", description: "Codes by a business messaging platform." })
  ) {}
