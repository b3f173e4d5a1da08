/**
 * The call channel on the wire: bodies, answers and the call record (CDR).
 *
 * Source: the interface's sections "Call channel", "Call record (CDR)" and "Outcome-reporting endpoints".
 */
import * as Schema from "effect/Schema"
import { clientFacts } from "./internal/ClientFacts.ts"
import { guardReasons } from "./internal/GuardReasons.ts"
import { field, named, optional, personal, request, time } from "./Field.ts"
import { example } from "./internal/example.ts"
import { ok, price, reported, uuid } from "./SharedFields.ts"
import { E164 } from "./PhoneNumber.ts"
import { ignored } from "./internal/UnknownFields.ts"

/** Seconds of ringing, whole or with decimals, 1 to 60. */
const RingTime = Schema.Finite.check(
  Schema.isBetween({ minimum: 1, maximum: 60 }, { message: "must be a number of seconds from 1 to 60" })
)

/** Body of `POST /call/flash`. */
export const FlashCall = request({
  callee: personal(field(E164, "The number that is called, in E.164 with the plus sign.")),
  caller: personal(
    optional(E164, "The number that the phone shows, in E.164; the account's, or one of its pool, unless given.")
  ),
  max_ring_time: optional(
    RingTime,
    "The longest that the phone rings, 1 to 60 seconds; a random time between the account's bounds unless given."
  ),
  ...clientFacts
}).annotate({
  ...ignored,
  identifier: "FlashCall",
  description: "A call and whom it is for.",
  examples: [{ callee: example.to, caller: example.caller, max_ring_time: 8 }]
})
export type FlashCall = typeof FlashCall.Type

const callee = field(Schema.String, "The number that is called, in E.164.")

/** Answer of `POST /call/flash`. */
export const FlashCalled = Schema.Struct({
  uuid,
  caller: field(Schema.String, "The number that the phone shows, in E.164."),
  callee
}).annotate({
  identifier: "FlashCalled",
  description: "The callee's phone rings.",
  examples: [{ uuid: example.uuid, caller: example.caller, callee: example.to }]
})
export type FlashCalled = typeof FlashCalled.Type

/** Outcome of a call as the account reports it. */
export const CallOutcome = Schema.Literals(["Success", "Failed", "Incomplete", "WrongNumber"]).annotate(
  named("CallOutcome")
)
export type CallOutcome = typeof CallOutcome.Type

/** The detail of a record that tells the caller of a verification's call, once the verification is approved. */
export const REVEALED_CALLER = "caller"

/** A call record. */
export const Cdr = Schema.Struct({
  uuid,
  caller: personal(
    field(
      Schema.NullOr(Schema.String),
      "The number that the phone shows, in E.164; null for a verification's call until the verification is approved, because the caller is a " +
        "code. Lists do not find that call by its caller."
    ),
    { [REVEALED_CALLER]: null }
  ),
  callee,
  hangup_cause: field(
    Schema.NullOr(Schema.String),
    "Why the call ended, by FreeSWITCH's names, for example NO_ANSWER; OUTGOING_CALL_BARRED where a guard refused it; REJECT_ALL " +
      "where the network blocks its caller id; null while it lasts."
  ),
  duration: field(Schema.Int, "Whole seconds from the first ringing to the end."),
  billsec: field(Schema.Int, "Whole seconds from the answer to the end."),
  pdd: field(
    Schema.Finite,
    "Post-dial delay: seconds from the start of the call to the first ringing, to the millisecond."
  ),
  start_stamp: time("When the call began."),
  destination_country: field(
    Schema.NullOr(Schema.String),
    "The English name of the callee's country; null for numbers of none."
  ),
  destination_country_code: field(
    Schema.NullOr(Schema.String),
    "The callee's country, by ISO 3166-1; null for numbers of none."
  ),
  reported_status: field(Schema.NullOr(CallOutcome), "The outcome that the account reported; null before."),
  sip_status: field(Schema.NullOr(Schema.Int), "The final status of the SIP dialog; null without one."),
  q850: field(Schema.NullOr(Schema.Int), "The Q.850 cause that the network gave; null without one."),
  price,
  ...guardReasons
}).annotate({
  identifier: "Cdr",
  description:
    "A call record. It is there from the start of the call: the cause is null and the durations are 0 until it ends.",
  examples: [
    {
      uuid: example.uuid,
      caller: example.caller,
      callee: example.to,
      hangup_cause: "NO_ANSWER",
      duration: 12,
      billsec: 0,
      pdd: 2.314,
      start_stamp: example.time,
      destination_country: "Germany",
      destination_country_code: "DE",
      reported_status: null,
      sip_status: 487,
      q850: null,
      price: 0.02
    }
  ]
})
export type Cdr = typeof Cdr.Type

/**
 * The detail of a record whose process died between the beginning of the call and its answer: it is true if the phone
 * may have rung. Such a call is free.
 */
export const INTERRUPTED = "interrupted"

/**
 * The detail in the record of a failed call that had reached the network, so that the phone may have shown it. The call
 * is free.
 */
export const MAY_HAVE_RUNG = "may_have_rung"

/** Body of `POST /call/flash/webhook`. */
export const ReportCall = request({
  uuid: reported("call"),
  status: field(CallOutcome, "Whether the caller's digits were entered, or why not.")
}).annotate({ ...ignored, identifier: "ReportCall", examples: [{ uuid: example.uuid, status: "Success" }] })
export type ReportCall = typeof ReportCall.Type

/** Answer of `POST /call/flash/webhook`: the outcome now on the record. */
export const CallReported = Schema.Struct({
  message: ok,
  uuid,
  status: field(CallOutcome, "The outcome now on the record.")
}).annotate({
  identifier: "CallReported",
  description: "The outcome now on the record.",
  examples: [{ message: "OK", uuid: example.uuid, status: "Success" }]
})
export type CallReported = typeof CallReported.Type
