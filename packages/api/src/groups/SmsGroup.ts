/**
 * The SMS channel.
 */
import { ReportSms, Sdr, SendSms, SmsReported, SmsSent } from "@watchword/schemas/Sms"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Access from "../Access.ts"
import { sendErrors } from "../Errors.ts"
import * as Endpoints from "../internal/Endpoints.ts"

const send = HttpApiEndpoint.post("send", "/sms", {
  payload: SendSms,
  success: SmsSent,
  error: sendErrors
}).annotateMerge(
  OpenApi.annotations({
    summary: "Send a text message",
    description:
      "Sends a text message, and answers once the carrier has taken it. Its later statuses are on its delivery record."
  })
)

const messageId = Endpoints.parameter("The id of the message.")

export class SmsGroup extends HttpApiGroup.make("sms")
  .add(
    send.annotateMerge(Access.send("sms:send")),
    Endpoints.get("/sms/:messageId/sdr", { messageId }, Sdr, "a delivery record").annotateMerge(Access.use("sms:read")),
    Endpoints.list("/sms/sdr", Sdr, "delivery records").annotateMerge(Access.use("sms:read")),
    Endpoints.report("/sms/webhook", ReportSms, SmsReported, "a text").annotateMerge(Access.report("sms:report"))
  )
  .middleware(Access.Authorization)
  .middleware(Access.ErrorEnvelope)
  .annotateMerge(OpenApi.annotations({ title: "SMS", description: "Text messages of one part or several." })) {}
