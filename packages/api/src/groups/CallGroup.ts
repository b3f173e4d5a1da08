/**
 * The call channel.
 */
import { CallReported, Cdr, FlashCall, FlashCalled, ReportCall } from "@watchword/schemas/Call"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Access from "../Access.ts"
import { BusyHere, Decline, NotFound, sendErrors } from "../Errors.ts"
import * as Endpoints from "../internal/Endpoints.ts"

const flash = HttpApiEndpoint.post("flash", "/call/flash", {
  payload: FlashCall,
  success: FlashCalled,
  error: [...sendErrors, BusyHere, Decline]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Make a phone ring",
    description:
      "Places a call that rings and hangs up by itself; the caller id is the code. Answers when the phone first rings."
  })
)

const hangup = HttpApiEndpoint.delete("hangup", "/call/flash/:uuid", {
  params: { uuid: Endpoints.uuid },
  success: HttpApiSchema.NoContent,
  error: NotFound
}).annotateMerge(
  OpenApi.annotations({
    summary: "End a call",
    description: "Ends a call before its time. A call that has ended already is not found."
  })
)

export class CallGroup extends HttpApiGroup.make("call")
  .add(
    flash.annotateMerge(Access.send("call:send")),
    Endpoints.get("/call/flash/:uuid/cdr", { uuid: Endpoints.uuid }, Cdr, "a call record").annotateMerge(
      Access.use("call:read")
    ),
    Endpoints.list("/call/flash/cdr", Cdr, "call records").annotateMerge(Access.use("call:read")),
    hangup.annotateMerge(Access.end("call:send", { repeatable: false })),
    Endpoints.report("/call/flash/webhook", ReportCall, CallReported, "a call").annotateMerge(
      Access.report("call:report")
    )
  )
  .middleware(Access.Authorization)
  .middleware(Access.ErrorEnvelope)
  .annotateMerge(OpenApi.annotations({ title: "Calls", description: "Short calls whose caller id is the code." })) {}
