/**
 * The chat-gateway channel.
 */
import { Envelope } from "@watchword/pagination/Envelope"
import { ListBody } from "@watchword/pagination/ListBody"
import {
  ChatReported,
  CheckSendAbility,
  CheckVerification,
  Code,
  CodeSent,
  ReportChat,
  RevokeVerification,
  Revoked,
  SendAbility,
  SendCode,
  Tdr,
  Verification
} from "@watchword/schemas/Chat"
import { DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Access from "./Access.ts"
import { Authorization, ErrorEnvelope } from "./Authorization.ts"
import { BadRequest, Conflict, NotFound, TemporaryUnavailable, TooManyRequests, sendErrors } from "./Errors.ts"

const uuid = DeliveryId.make("01KAJ3T8ZZ0000000000000000")
const to = E164.make("+4915123456789")
const code = Code.make("123456")
const request_id = "1111000001111"
const updated_at = 1_767_225_600

const send = HttpApiEndpoint.post("send", "/chatgw", {
  payload: SendCode.annotate({
    identifier: "SendCode",
    description:
      "`to` in E.164; `code` of 4 to 8 digits; `ttl` in seconds from 30 to 3600, 300 by default; `sender_username` " +
      "of a verified channel, by default the account's; `callback_url`, https, for the gateway to POST events to instead " +
      "of this service: the record then learns of delivery, expiry and refunds by a status check only.",
    examples: [{ to, code, ttl: 300 }]
  }),
  success: CodeSent.annotate({
    identifier: "CodeSent",
    description: "The gateway has taken the code. Money is in EUR.",
    examples: [{ uuid, request_id, to, status: "sent", request_cost: 0.01, remaining_balance: 12.34 }]
  }),
  error: sendErrors
}).annotateMerge(
  OpenApi.annotations({
    summary: "Send a code by chat",
    description: "The price of a probe of the same number is taken off, unless another send has spent it."
  })
)

const checkSendAbility = HttpApiEndpoint.post("checkSendAbility", "/chatgw/check-send-ability", {
  payload: CheckSendAbility.annotate({ identifier: "CheckSendAbility", examples: [{ to }] }),
  success: SendAbility.annotate({
    identifier: "SendAbility",
    description: "Where `is_refunded` is true the number has no account on the chat app, and the probe cost nothing."
  }),
  error: sendErrors
}).annotateMerge(
  OpenApi.annotations({
    summary: "Ask whether a number can be reached by chat",
    description: "Requests for one number at the same time are one probe, which is charged once."
  })
)

const checkVerificationStatus = HttpApiEndpoint.post("checkVerificationStatus", "/chatgw/check-verification-status", {
  payload: CheckVerification.annotate({
    identifier: "CheckChatCode",
    description: "`code` as the user has entered it; without it the status is only looked up.",
    examples: [{ request_id, code }]
  }),
  success: Verification.annotate({
    identifier: "ChatCodeChecked",
    description: "The status is null before a code was entered.",
    examples: [{ request_id, verification_status: { status: "code_valid", updated_at } }]
  }),
  error: [BadRequest, NotFound, TemporaryUnavailable]
}).annotateMerge(OpenApi.annotations({ summary: "Check a code that was entered" }))

const revoke = HttpApiEndpoint.post("revoke", "/chatgw/revoke-verification", {
  payload: RevokeVerification.annotate({ identifier: "RevokeVerification", examples: [{ request_id }] }),
  success: Revoked.annotate({
    identifier: "Revoked",
    description: "Where `is_refunded` is true the message had not been read, and its charge is returned."
  }),
  error: [BadRequest, NotFound, Conflict, TemporaryUnavailable]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Take a code back",
    description: "A request that has expired, has failed or was revoked before is a conflict."
  })
)

const Record = Tdr.annotate({ identifier: "Tdr", description: "The delivery record." })

const get = HttpApiEndpoint.get("get", "/chatgw/:uuid/tdr", {
  params: { uuid: Schema.String },
  success: Record,
  error: NotFound
}).annotateMerge(OpenApi.annotations({ summary: "Look up a delivery record" }))

const list = HttpApiEndpoint.post("list", "/chatgw/tdr", {
  payload: ListBody,
  success: Envelope(Record).annotate({ description: "A page of delivery records." }),
  error: [BadRequest, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "List delivery records",
    description: "Newest first unless `sort_by` says otherwise. A page past the end is empty and has the true totals."
  })
)

const report = HttpApiEndpoint.post("report", "/chatgw/webhook", {
  payload: ReportChat.annotate({ identifier: "ReportChat", examples: [{ id: uuid, status: "Success" }] }),
  success: ChatReported.annotate({ identifier: "ChatReported", description: "The status now on the record." }),
  error: [BadRequest, NotFound, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Report an outcome",
    description: "Reports the outcome of a message. Repeating a report is fine; contradicting one is not."
  })
)

export class ChatGroup extends HttpApiGroup.make("chat")
  .add(
    send.annotateMerge(Access.send("chatgw:send")),
    checkSendAbility.annotateMerge(Access.send("chatgw:send")),
    checkVerificationStatus.annotateMerge(Access.use("chatgw:send")),
    revoke.annotateMerge(Access.use("chatgw:send")),
    get.annotateMerge(Access.use("chatgw:read")),
    list.annotateMerge(Access.use("chatgw:read")),
    report.annotateMerge(Access.report("chatgw:report"))
  )
  .middleware(Authorization)
  .middleware(ErrorEnvelope)
  .annotateMerge(OpenApi.annotations({ title: "Chat gateway", description: "Codes by a chat app's own gateway." })) {}
