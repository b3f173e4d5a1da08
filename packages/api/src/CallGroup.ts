/**
 * The call channel.
 */
import { Envelope } from "@watchword/pagination/Envelope"
import { ListBody } from "@watchword/pagination/ListBody"
import { CallReported, Cdr, FlashCall, FlashCalled, ReportCall } from "@watchword/schemas/Call"
import { DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Access from "./Access.ts"
import { Authorization, ErrorEnvelope } from "./Authorization.ts"
import { BadRequest, BusyHere, Conflict, Decline, NotFound, TooManyRequests, sendErrors } from "./Errors.ts"

const uuid = DeliveryId.make("01KAJ3T8ZZ0000000000000000")
const callee = E164.make("+4915123456789")
const caller = E164.make("+4930901820123")

const flash = HttpApiEndpoint.post("flash", "/call/flash", {
  payload: FlashCall.annotate({
    identifier: "FlashCall",
    description:
      "`callee` in E.164; `caller` in E.164, by default the account's or one of its pool; `max_ring_time` in seconds from 1 to 60, " +
      "by default a random time between the account's bounds.",
    examples: [{ callee, caller, max_ring_time: 8 }]
  }),
  success: FlashCalled.annotate({
    identifier: "FlashCalled",
    description: "The callee's phone rings.",
    examples: [{ uuid, caller, callee }]
  }),
  error: [...sendErrors, BusyHere, Decline]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Make a phone ring",
    description:
      "Places a call that rings and hangs up by itself; the caller id is the code. Answers when the phone first rings."
  })
)

const Record = Cdr.annotate({ identifier: "Cdr", description: "The call record." })

const get = HttpApiEndpoint.get("get", "/call/flash/:uuid/cdr", {
  params: { uuid: Schema.String },
  success: Record,
  error: NotFound
}).annotateMerge(OpenApi.annotations({ summary: "Look up a call record" }))

const list = HttpApiEndpoint.post("list", "/call/flash/cdr", {
  payload: ListBody,
  success: Envelope(Record).annotate({ description: "A page of call records." }),
  error: [BadRequest, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "List call records",
    description: "Newest first unless `sort_by` says otherwise. A page past the end is empty and has the true totals."
  })
)

const hangup = HttpApiEndpoint.delete("hangup", "/call/flash/:uuid", {
  params: { uuid: Schema.String },
  success: HttpApiSchema.NoContent,
  error: NotFound
}).annotateMerge(
  OpenApi.annotations({
    summary: "End a call",
    description: "Ends a call before its time. A call that has ended already is not found."
  })
)

const report = HttpApiEndpoint.post("report", "/call/flash/webhook", {
  payload: ReportCall.annotate({ identifier: "ReportCall", examples: [{ uuid, status: "Success" }] }),
  success: CallReported.annotate({ identifier: "CallReported", description: "The outcome now on the record." }),
  error: [BadRequest, NotFound, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Report an outcome",
    description: "Reports the outcome of a call. Repeating a report is fine; contradicting one is not."
  })
)

export class CallGroup extends HttpApiGroup.make("call")
  .add(
    flash.annotateMerge(Access.send("call:send")),
    get.annotateMerge(Access.use("call:read")),
    list.annotateMerge(Access.use("call:read")),
    hangup.annotateMerge(Access.end("call:send")),
    report.annotateMerge(Access.report("call:report"))
  )
  .middleware(Authorization)
  .middleware(ErrorEnvelope)
  .annotateMerge(OpenApi.annotations({ title: "Calls", description: "Short calls whose caller id is the code." })) {}
