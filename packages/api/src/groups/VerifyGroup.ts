/**
 * Verifications.
 */
import {
  CheckVerification,
  NextStep,
  ReportVerification,
  StartVerification,
  Verification,
  VerificationChecked,
  VerificationQuery
} from "@watchword/schemas/Verification"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Access from "../Access.ts"
import { BadRequest, Conflict, NotFound, PaymentRequired, TemporaryUnavailable, TooManyRequests } from "../Errors.ts"
import * as Endpoints from "../internal/Endpoints.ts"
import { describeParameters } from "../internal/Parameters.ts"

const id = Endpoints.parameter("The id of the verification.")

const start = HttpApiEndpoint.post("start", "/verifications", {
  payload: StartVerification,
  success: Verification,
  error: [BadRequest, PaymentRequired, Conflict, TooManyRequests, TemporaryUnavailable]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Start a verification",
    description:
      "Sends a code with the first possible step, and tries the next step if nothing arrives. While a " +
      "verification of the same number and purpose is pending, starting is a resend of the same code by its current " +
      "channel. Fails with 402, 480 or 503 only where no step could be taken. The `reason` of a 429 is `resend_too_soon`, " +
      "`too_many_sends` or that of a guard."
  })
)

const check = HttpApiEndpoint.post("check", "/verifications/check", {
  payload: CheckVerification,
  success: VerificationChecked,
  error: [BadRequest, NotFound, Conflict, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Check a code",
    description:
      "Compares the user's entry with the code, and after a call also with the last digits of the number that " +
      "called. A wrong code is no error: `valid` is false. A verification that is approved already is a conflict, except for " +
      "the request that was repeated under its `Idempotency-Key`; one without checks left is a 429."
  })
)

const get = HttpApiEndpoint.get("get", "/verifications/:id", {
  params: { id },
  query: VerificationQuery,
  success: Verification,
  error: [BadRequest, NotFound, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Look up a verification",
    description:
      "Looks up a verification. While its user is to act first, `present` has what to show, and with `wait` the request is " +
      "answered once something has changed: the user has acted, or the next step was taken."
  })
)

const next = HttpApiEndpoint.post("next", "/verifications/:id/next", {
  params: { id },
  payload: NextStep,
  success: Verification,
  error: [BadRequest, NotFound, Conflict, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Send the code again, or by the next step",
    description:
      "Sends the code again, or by the next step. A verification that has ended, or has no such step left, is a conflict. It " +
      "counts as another send: the `reason` of a 403 is that of a guard, and of a 429 `resend_too_soon`, `too_many_sends` or " +
      "that of a guard."
  })
)

const cancel = HttpApiEndpoint.post("cancel", "/verifications/:id/cancel", {
  params: { id },
  success: Verification,
  error: [NotFound, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Cancel a verification",
    description:
      "Ends a verification: takes no further step, ends a call that rings, and takes back a chat message that was not read, " +
      "whose price comes back. Repeating it is fine; a verification that is approved is a conflict."
  })
)

const report = HttpApiEndpoint.post("report", "/verifications/:id/report", {
  params: { id },
  payload: ReportVerification,
  success: Verification,
  error: [BadRequest, NotFound, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Report an outcome",
    description:
      "Reports how a verification ended whose code you have compared yourself. Repeating a report is fine; contradicting one " +
      "is a conflict."
  })
)

export class VerifyGroup extends HttpApiGroup.make("verify")
  .add(
    start.annotateMerge(Access.send("verify:send")),
    check.annotateMerge(Access.answerOnce("verify:check")),
    next.annotateMerge(Access.change("verify:send")),
    cancel.annotateMerge(Access.end("verify:send")),
    get.annotateMerge(describeParameters(VerificationQuery, Access.use("verify:read"))),
    Endpoints.list("/verifications/list", Verification, "verifications").annotateMerge(Access.use("verify:read")),
    report.annotateMerge(Access.report("verify:report"))
  )
  .middleware(Access.Authorization)
  .middleware(Access.ErrorEnvelope)
  .annotateMerge(
    OpenApi.annotations({ title: "Verifications", description: "Codes over all channels, sent, sent on and checked." })
  ) {}
