/**
 * What each step does to a delivery, as pure functions. A step that changes nothing answers the very
 * record it was given. Stores read a record, put it through one of these and write what comes out.
 */
import type { Delivery, Details } from "./Delivery.ts"
import type { AboutMessage, Close, Open, Report } from "./step/Requests.ts"

/** A delivery after a step, and what the step does with its hold: null leaves it as it is. */
export interface Transition {
  readonly delivery: Delivery
  readonly posting: "settle" | "release" | "refund" | null
}

/** The record that `open` writes, apart from a close in the same step. */
export const opened = ({ at, delivery }: Open): Delivery => ({
  ...delivery,
  phase: "pending",
  createdAt: at,
  statusAt: at
})

/** What the whole of `open` makes of its delivery, apart from what was parked for it; the posting follows the hold. */
export const begun = (open: Open): Transition => {
  const { at, close, delivery } = open
  const pending = opened(open)
  return close === undefined ? { delivery: pending, posting: null } : closed(pending, { ...close, id: delivery.id, at })
}

/** Whether the outcome of a delivery is still open, and its price held. */
export const isOpen = ({ phase }: Delivery): boolean => phase === "pending" || phase === "unknown"

/** What `close` makes of a delivery, apart from what was parked for it. */
export const closed = (delivery: Delivery, { at, details, outcome, status }: Close): Transition => {
  if (!isOpen(delivery) || delivery.phase === outcome) return { delivery, posting: null }
  const moves = status.rank > delivery.status.rank
  const after: Delivery = {
    ...delivery,
    phase: outcome,
    status: moves ? status : delivery.status,
    statusAt: moves ? at : delivery.statusAt,
    details: merged(delivery.details, details)
  }
  return { delivery: after, posting: postings[outcome] }
}

const postings = { accepted: "settle", rejected: "release", refunded: "release", unknown: null } as const

/**
 * What a report makes of the price of a delivery. It may give it back; and if it is about a part, the gateway
 * must have taken the message.
 */
export const paid = (delivery: Delivery, { refund, target, when }: Report): Transition => {
  if (refund && meets(delivery, when)) return refunded(delivery)
  return target._tag === "Part" && isOpen(delivery) ? proven(delivery) : { delivery, posting: null }
}

const proven = (delivery: Delivery): Transition => ({
  delivery: { ...delivery, phase: "accepted" },
  posting: "settle"
})

const refunded = (delivery: Delivery): Transition => {
  if (delivery.phase === "rejected" || delivery.phase === "refunded") return { delivery, posting: null }
  return { delivery: { ...delivery, phase: "refunded" }, posting: isOpen(delivery) ? "release" : "refund" }
}

/** The delivery with a status of a higher rank, with other details where the status is left, or as it is. */
export const advanced = (
  delivery: Delivery,
  { at, details, status, when }: Pick<Report, "status" | "when" | "details" | "at">
): Delivery => {
  if (!meets(delivery, when)) return delivery
  if (status === null) return { ...delivery, details: { ...delivery.details, ...details } }
  return status.rank > delivery.status.rank
    ? { ...delivery, status, statusAt: at, details: merged(delivery.details, details) }
    : delivery
}

/** Whether a report has changed what a record says, or given its price back. */
export const isMoved = (before: Delivery, after: Delivery): boolean =>
  after.status !== before.status ||
  after.details !== before.details ||
  (after.phase === "refunded" && before.phase !== "refunded")

const meets = ({ details }: Delivery, when: Details): boolean => {
  for (const name in when) if ((details[name] ?? null) !== when[name]) return false
  return true
}

const merged = (before: Details, news: Details): Details => {
  for (const _ in news) return { ...before, ...news }
  return before
}

/**
 * How well a delivery that was met under a spelling of a report's id fits what the report says of the
 * message: `exactly` by its reference, `perhaps` when nothing speaks against it, or `not`.
 *
 * @param preferred whether the spelling is the first of the report's
 */
export const fit = (
  delivery: Delivery,
  { reference, to }: AboutMessage,
  preferred: boolean
): "exactly" | "perhaps" | "not" => {
  if (to !== null && ending(to) !== ending(delivery.to)) return "not"
  if (reference === null || delivery.reference === null) return "perhaps"
  if (reference === delivery.reference) return "exactly"
  return preferred ? "perhaps" : "not"
}

// Reports may have a national form of the number, without the country code.
const ending = (number: string): string => number.slice(-7)
