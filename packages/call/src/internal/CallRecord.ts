/**
 * The call record (CDR), as the account sees it, and the details of its delivery in the store.
 */
import { type Format, type Reports, guardReasons, guardReasonsField } from "@watchword/send/channel/ChannelRecords"
import * as Fields from "@watchword/pagination/Fields"
import { type ReportedOutcome, reportedDetail, verified } from "@watchword/records/Records"
import {
  CallOutcome,
  type CallReported,
  type Cdr,
  type ReportCall,
  type FlashCalled,
  REVEALED_CALLER
} from "@watchword/schemas/Call"
import { toEuros } from "@watchword/schemas/Money"
import { type E164, countryName, countryOf } from "@watchword/schemas/PhoneNumber"
import type { Delivery, Details } from "@watchword/store/Delivery"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Cause, PreparedCall } from "../CallGateway.ts"

/** The detail that a reported outcome is written into. */
const REPORTED = "reported_status"

const fields = Fields.listFields(
  {
    uuid: Fields.string("id"),
    caller: Fields.phoneNumber("from"),
    callee: Fields.phoneNumber("to"),
    hangup_cause: Fields.nullable(Fields.string("details.hangup_cause")),
    duration: Fields.integer("details.duration"),
    billsec: Fields.integer("details.billsec"),
    pdd: Fields.number("details.pdd"),
    start_stamp: Fields.time("createdAt"),
    destination_country: Fields.nullable(Fields.string("details.destination_country")),
    destination_country_code: Fields.nullable(Fields.string("details.destination_country_code")),
    reported_status: Fields.nullable(Fields.oneOf(`details.${REPORTED}`, CallOutcome.literals)),
    sip_status: Fields.nullable(Fields.integer("details.sip_status")),
    q850: Fields.nullable(Fields.integer("details.q850")),
    price: Fields.euros("price"),
    ...guardReasonsField
  } satisfies Fields.FieldsOf<Cdr>,
  "start_stamp"
)

/** The details of a call that begins, with the dialog that was prepared for it. */
export const begun = (callee: E164, prepared: PreparedCall | null): Details => {
  const code = countryOf(callee)
  return {
    hangup_cause: null,
    duration: 0,
    billsec: 0,
    pdd: 0,
    destination_country: code === null ? null : countryName(code),
    destination_country_code: code,
    ...(prepared === null ? {} : { dialog: prepared.dialog })
  }
}

/** The details of a call whose phone rings. */
export const rang = (postDialDelay: number, rangAt: number, dialog: string): Details => ({
  pdd: Math.round(postDialDelay) / 1000,
  rang_at: rangAt,
  dialog
})

/** When a call's phone began to ring; the time of its creation when that was not written. */
export const rangAt = ({ createdAt, details }: Delivery): number => {
  const at = details["rang_at"]
  return typeof at === "number" ? at : createdAt
}

/** The data by which a later process ends the call. */
export const dialogOf = ({ details }: Delivery): Option.Option<string> =>
  typeof details["dialog"] === "string" ? Option.some(details["dialog"]) : Option.none()

/** The details of a call that is over, or was never placed. The dialog goes: it has the number, and the caller. */
export const failed = ({ hangupCause, q850, sipStatus }: Cause): Details => ({
  hangup_cause: hangupCause,
  sip_status: sipStatus,
  q850,
  dialog: null
})

/** The details of a call that a guard refused. */
export const blocked: Details = failed({ hangupCause: "OUTGOING_CALL_BARRED", q850: null, sipStatus: null })

/** When a call rang, was answered and ended, in milliseconds since the epoch. */
export interface Times {
  readonly rangAt: number
  readonly answeredAt: number | null
  readonly endedAt: number
}

/** The details of a call that has ended. */
export const ended = (cause: Cause, { answeredAt, endedAt, rangAt }: Times): Details => ({
  ...failed(cause),
  duration: seconds(rangAt, endedAt),
  billsec: answeredAt === null ? 0 : seconds(answeredAt, endedAt)
})

// A clock that was set back makes no time negative.
const seconds = (from: number, to: number): number => Math.max(0, Math.round((to - from) / 1000))

/** A detail of this type; null when it is missing or of another type. */
const detail =
  <A>(is: (value: unknown) => value is A) =>
  ({ details }: Delivery, name: string): A | null => {
    const value = details[name]
    return is(value) ? value : null
  }

const text = detail(Schema.is(Schema.String))
const number = detail(Schema.is(Schema.Finite))
const outcome = detail(Schema.is(CallOutcome))

/** The record of a delivery. */
const toCdr = (delivery: Delivery): Cdr => ({
  ...toCalled(delivery),
  caller: delivery.from ?? text(delivery, REVEALED_CALLER),
  hangup_cause: text(delivery, "hangup_cause"),
  duration: number(delivery, "duration") ?? 0,
  billsec: number(delivery, "billsec") ?? 0,
  pdd: number(delivery, "pdd") ?? 0,
  start_stamp: new Date(delivery.createdAt).toISOString(),
  destination_country: text(delivery, "destination_country"),
  destination_country_code: text(delivery, "destination_country_code"),
  reported_status: outcome(delivery, REPORTED),
  sip_status: number(delivery, "sip_status"),
  q850: number(delivery, "q850"),
  price: toEuros(delivery.price),
  ...guardReasons(delivery)
})

export const format: Format<Cdr> = { product: "call", fields, toWire: toCdr }

/** The answer to a send. A verification's call has no caller in it. */
export const toCalled = ({ from, id, to }: Delivery): FlashCalled => ({ uuid: id, caller: from ?? "", callee: to })

/** A reported outcome: of a call that succeeded the user has entered the caller's digits. */
const outcomeOf = ({ status }: ReportCall): ReportedOutcome => {
  const outcome = reportedDetail(REPORTED, status)
  return status === "Success" ? verified(outcome) : outcome
}

export const reports: Reports<ReportCall, CallReported> = {
  idOf: ({ uuid }) => uuid,
  outcomeOf,
  toReported: (delivery, { status }) => ({
    message: "OK",
    uuid: delivery.id,
    status: outcome(delivery, REPORTED) ?? status
  })
}
