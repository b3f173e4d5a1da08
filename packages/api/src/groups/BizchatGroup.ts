/**
 * The business-chat channel.
 */
import { BizchatReported, OtpSent, ReportBizchat, SendOtp, Wdr } from "@watchword/schemas/Bizchat"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Access from "../Access.ts"
import { sendErrors } from "../Errors.ts"
import * as Endpoints from "../internal/Endpoints.ts"

const send = HttpApiEndpoint.post("send", "/bizchat/otp", {
  payload: SendOtp,
  success: OtpSent,
  error: sendErrors
}).annotateMerge(
  OpenApi.annotations({
    summary: "Send a code in a business chat",
    description: "Sends a text with a code, and answers once the platform has taken it."
  })
)

export class BizchatGroup extends HttpApiGroup.make("bizchat")
  .add(
    send.annotateMerge(Access.send("bizchat:send")),
    Endpoints.get("/bizchat/:uuid/wdr", { uuid: Endpoints.uuid }, Wdr, "a delivery record").annotateMerge(
      Access.use("bizchat:read")
    ),
    Endpoints.list("/bizchat/wdr", Wdr, "delivery records").annotateMerge(Access.use("bizchat:read")),
    Endpoints.report("/bizchat/webhook", ReportBizchat, BizchatReported, "a text").annotateMerge(
      Access.report("bizchat:report")
    )
  )
  .middleware(Access.Authorization)
  .middleware(Access.ErrorEnvelope)
  .annotateMerge(
    OpenApi.annotations({ title: "Business chat", description: "Codes through a business messaging platform." })
  ) {}
