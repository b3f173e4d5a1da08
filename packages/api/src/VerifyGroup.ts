/**
 * Verifications.
 */
import { Envelope } from "@watchword/pagination/Envelope"
import { ListBody } from "@watchword/pagination/ListBody"
import { Locale } from "@watchword/schemas/BusinessChat"
import { Code } from "@watchword/schemas/Chat"
import { DeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import {
  CheckVerification,
  NextStep,
  ReportVerification,
  StartVerification,
  Verification,
  VerificationChecked,
  VerificationId
} from "@watchword/schemas/Verification"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Access from "./Access.ts"
import { Authorization, ErrorEnvelope } from "./Authorization.ts"
import { BadRequest, Conflict, NotFound, PaymentRequired, TemporaryUnavailable, TooManyRequests } from "./Errors.ts"

const verification_id = VerificationId.make("vrf_01KAJ3T8ZZ0000000000000000")
const to = E164.make("+4915123456789")
const code = Code.make("123456")

const verification: Verification = {
  id: verification_id,
  to,
  country: "DE",
  purpose: "default",
  status: "pending",
  reason: null,
  channel: "sms",
  step: 2,
  attempts: [
    {
      delivery_id: null,
      channel: "chatgw",
      status: "undelivered",
      reason: "NO_ACCOUNT",
      at: "2026-01-01T00:00:00.000Z",
      price: 0
    },
    {
      delivery_id: DeliveryId.make("01KAJ3T8ZZ0000000000000001"),
      channel: "sms",
      status: "accepted",
      reason: null,
      at: "2026-01-01T00:00:00.200Z",
      price: 0.05
    }
  ],
  next: { channel: "call", at: "2026-01-01T00:01:00.200Z" },
  resend_at: "2026-01-01T00:00:30.200Z",
  sends_left: 4,
  checks_left: 5,
  expires_at: "2026-01-01T00:10:00.000Z",
  approved_at: null,
  test_number: false,
  client_ref: "user 7",
  metadata: {},
  created_at: "2026-01-01T00:00:00.000Z"
}

const Answer = Verification.annotate({
  identifier: "Verification",
  description:
    "A verification, always without its code. `step` counts from 1; `attempts` are the sends of the code, each an ordinary " +
    "delivery in the lists of its channel, with its price in EUR; `next` is the step that follows by itself, and null where " +
    "none will; `reason` says why it is failed (`max_attempts`, `undeliverable`) or blocked.",
  examples: [verification]
})

const start = HttpApiEndpoint.post("start", "/verifications", {
  payload: StartVerification.annotate({
    identifier: "StartVerification",
    description:
      "`to` in E.164; `workflow`, 1 to 4 steps of a `channel` and the seconds after which the next one is taken (`timeout`, " +
      "10 to 900), or the name of a workflow of the account, by default the account's, else the channels that are " +
      'configured, the cheapest first and a call last; `purpose`, "default" unless given, keeps verifications of one number ' +
      "apart; `code_length` 4 to 8 digits, 6 by default; `ttl` 60 to 3600 seconds, 600 by default; `max_attempts` guesses " +
      "and `max_sends` sends, 1 to 10, 5 by default, of which none comes back; `locale`, `template` and its `variables` for " +
      "the text; `app_hash` and `web_origin` for the device to fill the code in; `code`, a code of your own, which takes the " +
      "place of another pending one where `replace` is true, and has all `max_attempts` guesses again where it is started after " +
      "its end; `client_ip`, " +
      "`client_ref` and `trusted`, which guards count by; `metadata`, up to 10 short texts that come back.",
    examples: [
      {
        to,
        workflow: [
          { channel: "chatgw", timeout: 30 },
          { channel: "sms", timeout: 60 },
          { channel: "call", timeout: 60 }
        ],
        purpose: "default",
        code_length: 6,
        ttl: 600,
        max_attempts: 5,
        max_sends: 5,
        locale: Locale.make("de"),
        client_ip: "192.0.2.7",
        client_ref: "user 7"
      }
    ]
  }),
  success: Answer,
  error: [BadRequest, PaymentRequired, Conflict, TooManyRequests, TemporaryUnavailable]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Start a verification",
    description:
      "Sends a code by the first step that can be taken, and goes on to the next where nothing arrives. While a " +
      "verification of the same number and purpose is pending, starting is a resend of the same code by its current " +
      "channel. Fails with 402, 480 or 503 only where no step could be taken. The `reason` of a 429 is `resend_too_soon`, " +
      "`too_many_sends` or that of a guard."
  })
)

const check = HttpApiEndpoint.post("check", "/verifications/check", {
  payload: CheckVerification.annotate({
    identifier: "CheckVerification",
    description: "`code` as the user has entered it, and `verification_id`, or `to` with its `purpose`.",
    examples: [
      { code, verification_id },
      { code, to }
    ]
  }),
  success: VerificationChecked.annotate({
    identifier: "VerificationChecked",
    description: "Whether the code is right. A wrong code is no error: it takes one of the guesses.",
    examples: [{ valid: true, status: "approved", checks_left: 4, verification_id, channel: "sms" }]
  }),
  error: [BadRequest, NotFound, Conflict, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Check a code",
    description:
      "Compares what the user has entered with the code, and after a call also with the last digits of the number that " +
      "called. A verification that is approved already is a conflict, except for the request that was repeated under its " +
      "`Idempotency-Key`; one without guesses left is a 429."
  })
)

const next = HttpApiEndpoint.post("next", "/verifications/:id/next", {
  params: { id: Schema.String },
  payload: NextStep.annotate({
    identifier: "NextStep",
    description: "`channel`: the current one to send the code again, another one to go there; none is the next step.",
    examples: [{ channel: "sms" }, {}]
  }),
  success: Answer,
  error: [BadRequest, NotFound, Conflict, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Send the code again, or by the next step",
    description:
      "A verification that has ended, or has no such step left, is a conflict. It counts as another send: the `reason` of a " +
      "403 is that of a guard, and of a 429 `resend_too_soon`, `too_many_sends` or that of a guard."
  })
)

const cancel = HttpApiEndpoint.post("cancel", "/verifications/:id/cancel", {
  params: { id: Schema.String },
  success: Answer,
  error: [NotFound, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Cancel a verification",
    description:
      "Takes no further step, ends a call that rings, and takes back a chat message that was not read, whose price comes " +
      "back. Repeating it is fine; a verification that is approved is a conflict."
  })
)

const get = HttpApiEndpoint.get("get", "/verifications/:id", {
  params: { id: Schema.String },
  success: Answer,
  error: NotFound
}).annotateMerge(OpenApi.annotations({ summary: "Look up a verification" }))

const list = HttpApiEndpoint.post("list", "/verifications/list", {
  payload: ListBody,
  success: Envelope(Answer).annotate({ description: "A page of verifications." }),
  error: [BadRequest, TooManyRequests]
}).annotateMerge(
  OpenApi.annotations({
    summary: "List verifications",
    description: "Newest first unless `sort_by` says otherwise. A page past the end is empty and has the true totals."
  })
)

const report = HttpApiEndpoint.post("report", "/verifications/:id/report", {
  params: { id: Schema.String },
  payload: ReportVerification.annotate({
    identifier: "ReportVerification",
    examples: [{ status: "approved" }]
  }),
  success: Answer,
  error: [BadRequest, NotFound, Conflict]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Report an outcome",
    description:
      "Reports how a verification ended whose code the client has compared itself. Repeating a report is fine; " +
      "contradicting one is not."
  })
)

export class VerifyGroup extends HttpApiGroup.make("verify")
  .add(
    start.annotateMerge(Access.send("verify:send")),
    check.annotateMerge(Access.answerOnce("verify:check")),
    next.annotateMerge(Access.use("verify:send")),
    cancel.annotateMerge(Access.end("verify:send")),
    get.annotateMerge(Access.use("verify:read")),
    list.annotateMerge(Access.use("verify:read")),
    report.annotateMerge(Access.report("verify:report"))
  )
  .middleware(Authorization)
  .middleware(ErrorEnvelope)
  .annotateMerge(
    OpenApi.annotations({ title: "Verifications", description: "Codes over all channels, sent, sent on and checked." })
  ) {}
