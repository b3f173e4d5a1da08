/**
 * The call channel on the wire: bodies, answers and the call record (CDR).
 *
 * Source: the interface's sections "Call channel", "Call record (CDR)" and "Outcome-reporting endpoints".
 */
import * as Schema from "effect/Schema"
import { clientFacts } from "./ClientFacts.ts"
import { guardReasons } from "./GuardReasons.ts"
import { DeliveryId } from "./Ids.ts"
import { E164 } from "./PhoneNumber.ts"
import { ignored } from "./UnknownFields.ts"

/** Seconds of ringing, whole or with decimals, 1 to 60. */
export const RingTime = Schema.Finite.check(
  Schema.isBetween({ minimum: 1, maximum: 60 }, { message: "must be a number of seconds from 1 to 60" })
)

/** Body of `POST /call/flash`. */
export const FlashCall = Schema.Struct({
  callee: E164,
  caller: Schema.optionalKey(E164),
  max_ring_time: Schema.optionalKey(RingTime),
  ...clientFacts
}).annotate(ignored)
export type FlashCall = typeof FlashCall.Type

/** Answer of `POST /call/flash`; `caller` is the caller id that the callee's phone shows. */
export const FlashCalled = Schema.Struct({ uuid: DeliveryId, caller: Schema.String, callee: Schema.String })
export type FlashCalled = typeof FlashCalled.Type

/** Outcome of a call as the account reports it. */
export const CallOutcome = Schema.Literals(["Success", "Failed", "Incomplete", "WrongNumber"])
export type CallOutcome = typeof CallOutcome.Type

/** A call record. It is there from the start of the call: the cause is null and the durations are 0 until it ends. */
export const Cdr = Schema.Struct({
  uuid: DeliveryId,
  /** Null for a verification's call before it is approved: the caller is a code. Lists do not find it by its caller. */
  caller: Schema.NullOr(Schema.String),
  callee: Schema.String,
  /** Cause of the end by FreeSWITCH's names, for example NO_ANSWER; OUTGOING_CALL_BARRED where a guard refused the call. */
  hangup_cause: Schema.NullOr(Schema.String),
  /** Whole seconds from the first ringing to the end. */
  duration: Schema.Int,
  /** Whole seconds from the answer to the end. */
  billsec: Schema.Int,
  /** Post-dial delay: seconds from the start to the first ringing, to the millisecond. */
  pdd: Schema.Finite,
  /** ISO 8601 in UTC. */
  start_stamp: Schema.String,
  /** English name of the callee's country, and its ISO 3166-1 code; null for numbers of none. */
  destination_country: Schema.NullOr(Schema.String),
  destination_country_code: Schema.NullOr(Schema.String),
  /** The outcome that the account reported. */
  reported_status: Schema.NullOr(CallOutcome),
  /** The network's final status, and the Q.850 cause it gave, where there were any. */
  sip_status: Schema.NullOr(Schema.Int),
  q850: Schema.NullOr(Schema.Int),
  /** Price in EUR. */
  price: Schema.Finite,
  ...guardReasons
})
export type Cdr = typeof Cdr.Type

/** The detail of a record that tells the caller of a verification's call, once the verification is approved. */
export const REVEALED_CALLER = "caller"

/** Body of `POST /call/flash/webhook`. */
export const ReportCall = Schema.Struct({ uuid: Schema.String, status: CallOutcome }).annotate(ignored)
export type ReportCall = typeof ReportCall.Type

/** Answer of `POST /call/flash/webhook`: the outcome now on the record. */
export const CallReported = Schema.Struct({
  message: Schema.Literal("OK"),
  uuid: DeliveryId,
  status: CallOutcome
})
export type CallReported = typeof CallReported.Type
