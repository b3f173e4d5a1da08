/**
 * The chat-gateway channel.
 */
import {
  ChatgwReported,
  CheckSendAbility,
  CheckVerification,
  CodeSent,
  ReportChatgw,
  RevokeVerification,
  Revoked,
  SendAbility,
  SendCode,
  Tdr,
  Verification
} from "@watchword/schemas/Chatgw"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Access from "../Access.ts"
import { BadRequest, Conflict, NotFound, TemporaryUnavailable, sendErrors } from "../Errors.ts"
import * as Endpoints from "../internal/Endpoints.ts"

const send = HttpApiEndpoint.post("send", "/chatgw", {
  payload: SendCode,
  success: CodeSent,
  error: sendErrors
}).annotateMerge(
  OpenApi.annotations({
    summary: "Send a code in a chat",
    description: "Sends a code. The price of a probe of the same number is taken off, unless another send has spent it."
  })
)

const checkSendAbility = HttpApiEndpoint.post("checkSendAbility", "/chatgw/check-send-ability", {
  payload: CheckSendAbility,
  success: SendAbility,
  error: sendErrors
}).annotateMerge(
  OpenApi.annotations({
    summary: "Ask whether a number can be reached by chat",
    description:
      "Asks whether a number has an account on the chat app. The next send to it spends the price of this. Requests for one " +
      "number at the same time are one probe, which is charged once."
  })
)

const checkVerificationStatus = HttpApiEndpoint.post("checkVerificationStatus", "/chatgw/check-verification-status", {
  payload: CheckVerification,
  success: Verification,
  error: [BadRequest, NotFound, TemporaryUnavailable]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Check a code that was entered",
    description: "Checks the code that the user has entered, which takes one of its checks."
  })
)

const revoke = HttpApiEndpoint.post("revoke", "/chatgw/revoke-verification", {
  payload: RevokeVerification,
  success: Revoked,
  error: [BadRequest, NotFound, Conflict, TemporaryUnavailable]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Take a code back",
    description: "Takes a code back. A request that has expired, has failed or was revoked before is a conflict."
  })
)

export class ChatgwGroup extends HttpApiGroup.make("chatgw")
  .add(
    send.annotateMerge(Access.send("chatgw:send")),
    checkSendAbility.annotateMerge(Access.send("chatgw:send")),
    checkVerificationStatus.annotateMerge(Access.change("chatgw:send")),
    revoke.annotateMerge(Access.change("chatgw:send")),
    Endpoints.get("/chatgw/:uuid/tdr", { uuid: Endpoints.uuid }, Tdr, "a delivery record").annotateMerge(
      Access.use("chatgw:read")
    ),
    Endpoints.list("/chatgw/tdr", Tdr, "delivery records").annotateMerge(Access.use("chatgw:read")),
    Endpoints.report("/chatgw/webhook", ReportChatgw, ChatgwReported, "a message").annotateMerge(
      Access.report("chatgw:report")
    )
  )
  .middleware(Access.Authorization)
  .middleware(Access.ErrorEnvelope)
  .annotateMerge(
    OpenApi.annotations({ title: "Chat gateway", description: "Codes through a chat app's own gateway." })
  ) {}
