/**
 * The amounts that a record adds to the traffic roll-up, as a function of only the record: a change of a record adds
 * the difference between after and before, and a rebuild the sum over all records.
 *
 * | amount | a record counts in it |
 * |---|---|
 * | `sent` | once a gateway was asked, whatever it answered; look-ups of chat accounts and messages without a route do not count |
 * | `delivered`, with its delay | when its channel says that the phone has it, or rang |
 * | `failed` | when it was refused, or its channel says that it is lost |
 * | `approved` | when its user is known to have entered the code: the last send of a verification that was approved, or a send that the account or the gateway reports as such |
 * | `expired` | the last send of a verification that has expired; one without a verification whose status says so |
 * | `blocked` | when a guard refused it; a verification that was refused has its own channel |
 * | `cost`, `price` | the carrier's charge, and the settled price |
 *
 * A verification whose user acts first also counts as `sent` in a row of each form that it has offered, under the
 * channel `verify` and the carrier `receive:` with the form, and as `approved` in the row of the form that proved its
 * number.
 */
import { isVerified } from "@watchword/records/Records"
import { DeliveryId, timeOfUlid } from "@watchword/schemas/Ids"
import { type E164, countryOf } from "@watchword/schemas/PhoneNumber"
import type { Any } from "@watchword/send/channel/Features"
import type { CodeRules } from "@watchword/send/channel/Channel"
import type { Delivery } from "@watchword/store/Delivery"
import { COUNTS, type Count, type TrafficKey, hourOf, placeOfDelay } from "@watchword/store/Traffic"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { carrierOf, costOf, hadNoRoute } from "./Carrier.ts"

/** The end of a verification, which counts in the row of its last send. */
export interface End extends Pick<Delivery, "account" | "mode"> {
  /** The detail of its record. */
  readonly attempts: string
  readonly as: "approved" | "expired"
}

type Send = Pick<Delivery, "account" | "channel" | "id" | "mode">

export interface Measures {
  /** The row that a record counts in; null if it counts nowhere, or not yet. */
  readonly keyOf: (delivery: Delivery) => TrafficKey | null
  /** Adds the amounts of a record that has a row, each with a sign. */
  readonly measure: (delivery: Delivery, sign: 1 | -1, amounts: Array<number>) => void
  /** The rows of the forms that a verification has offered, and the counts of each row in which it is. */
  readonly formRows: (delivery: Delivery) => ReadonlyArray<FormRow>
}

export interface FormRow {
  readonly key: TrafficKey
  readonly counts: ReadonlyArray<Count>
}

/** The places of amounts. */
export const PLACE = Object.fromEntries(COUNTS.map((name, place) => [name, place])) as Readonly<Record<Count, number>>

const VERIFICATION = "verify"

interface Rules {
  readonly channel: string
  /** Null for a channel that carries no codes. */
  readonly arrival: CodeRules["arrival"] | null
  /** Whether its records are messages or calls, and not look-ups before them. */
  readonly isMessage: boolean
}

/** @param features the channels of the service */
export const make = (features: ReadonlyArray<Any<unknown>>): Measures => {
  const byProduct = new Map<string, Rules>(
    features.flatMap(({ code, name, products }) =>
      products.map((product) => [
        product.name,
        { channel: name, arrival: code?.arrival ?? null, isMessage: product.name === name }
      ])
    )
  )
  const rulesOf = ({ channel }: Delivery): Rules =>
    byProduct.get(channel) ?? { channel, arrival: null, isMessage: true }

  const keyOf = (delivery: Delivery): TrafficKey | null => {
    const { account, channel, id, mode, phase, to } = delivery
    const isBlocked = delivery.status.name === "blocked"
    const isUnasked = isBlocked || hadNoRoute(delivery)
    if (phase === "pending" || (channel === VERIFICATION && !isBlocked)) return null
    return {
      hour: hourOf(timeOfUlid(id)),
      account,
      mode,
      channel,
      carrier: isUnasked ? "" : carrierOf(delivery, rulesOf(delivery).channel),
      country: isNumber(to) ? (countryOf(to) ?? "") : ""
    }
  }

  const measure: Measures["measure"] = (delivery, sign, amounts) => {
    const add = (place: number, amount: number): void => {
      amounts[place] = (amounts[place] ?? 0) + sign * amount
    }
    const { phase, price, status } = delivery
    if (status.name === "blocked") return add(PLACE.blocked, 1)
    const rules = rulesOf(delivery)
    if (phase === "accepted") add(PLACE.price, price)
    add(PLACE.cost, costOf(delivery))
    if (!rules.isMessage) return
    if (hadNoRoute(delivery)) return add(PLACE.failed, 1)
    add(PLACE.sent, 1)
    if (isApproved(delivery)) add(PLACE.approved, 1)
    if (isExpired(delivery)) add(PLACE.expired, 1)
    const delay = delayOf(delivery, rules)
    if (delay !== null) {
      add(PLACE.delivered, 1)
      add(placeOfDelay(delay), 1)
    } else if (isFailed(delivery, rules)) add(PLACE.failed, 1)
  }

  return { keyOf, measure, formRows }
}

const formRows: Measures["formRows"] = ({ account, channel, details, id, mode, status, to }) => {
  const { by, receives } = details
  if (channel !== VERIFICATION || status.name === "blocked" || typeof receives !== "string") return []
  const country = isNumber(to) ? (countryOf(to) ?? "") : ""
  const key = { hour: hourOf(timeOfUlid(id)), account, mode, channel, country }
  return Object.keys(Option.getOrElse(readForms(receives), () => ({}))).map((form) => ({
    key: { ...key, carrier: `receive:${form}` },
    counts: status.name === "approved" && by === form ? ["sent", "approved"] : ["sent"]
  }))
}

const readForms = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** A number that was not erased. The number of a record has been checked before. */
const isNumber = (to: string): to is E164 => to.startsWith("+")

/** Milliseconds from the send until the phone had it or rang; null if neither is known. */
const delayOf = (delivery: Delivery, { arrival }: Rules): number | null => {
  const { createdAt, details, phase, status, statusAt } = delivery
  if (phase === "rejected") return null
  const rang = details["rang_at"]
  if (typeof rang === "number") return Math.max(0, rang - createdAt)
  const said = arrival?.(delivery) ?? null
  const hasArrived = said === "arrived" || said === "shown" || (said === null && status.name === "delivered")
  return hasArrived ? Math.max(0, statusAt - createdAt) : null
}

const isFailed = (delivery: Delivery, { arrival }: Rules): boolean => {
  const { phase, status } = delivery
  if (phase === "rejected") return true
  if (status.name === "expired") return false
  return arrival === null ? FAILED.has(status.name) : arrival(delivery) === "lost"
}

const FAILED = new Set(["failed", "undelivered"])

const hasVerification = ({ details }: Delivery): boolean => typeof details["verification"] === "string"

/** Whether the record itself says that the code was entered: a report of the account, or the chat gateway's check. */
const isApproved = (delivery: Delivery): boolean =>
  !hasVerification(delivery) && (isVerified(delivery) || delivery.details["verification_status"] === "code_valid")

const isExpired = (delivery: Delivery): boolean => delivery.status.name === "expired" && !hasVerification(delivery)

/**
 * The end of a verification; null for other records, for verifications that ended otherwise, and for approvals that
 * count for a form.
 */
export const endOf = ({ account, channel, details, mode, status: { name } }: Delivery): End | null => {
  const { attempts, by } = details
  const isOfSend = name === "expired" || (name === "approved" && typeof by !== "string")
  return channel === VERIFICATION && isOfSend && typeof attempts === "string"
    ? { account, mode, attempts, as: name }
    : null
}

/** The record of the last send of a verification; null if nothing was sent. */
export const lastSendOf = ({ account, attempts, mode }: End): Send | null => {
  const all = Option.getOrElse(readAttempts(attempts), () => [])
  const last = all.findLast(({ delivery, reason }) => delivery !== null && reason === null)
  return last === undefined || last.delivery === null
    ? null
    : { account, mode, channel: last.channel, id: last.delivery }
}

const readAttempts = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Array(
      Schema.Struct({
        channel: Schema.String,
        delivery: Schema.NullOr(DeliveryId),
        reason: Schema.NullOr(Schema.String)
      })
    )
  )
)
