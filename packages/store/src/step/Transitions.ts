/**
 * The transitions of a delivery, as pure functions: its phase, its status and its details before and after a request.
 *
 * A transition that changes nothing answers the very record that it was given. The step engine (`step/Step`) composes
 * transitions to steps.
 */
import { type Delivery, type Details, ERASED } from "../Delivery.ts"
import type { AboutMessage, Claim, Close, Open, Report } from "../internal/Requests.ts"

/** A delivery after a transition, and the entry that moves its price; null if the price stays. */
export interface Transition {
  readonly delivery: Delivery
  readonly posting: "settle" | "release" | "refund" | null
}

/** The record that `open` writes, apart from a close in the same step. */
export const opened = ({ at, delivery, watch }: Open): Delivery => ({
  ...delivery,
  phase: "pending",
  named: 0,
  createdAt: at,
  statusAt: at,
  dueAt: delivery.dueAt ?? null,
  watch: watch === undefined || watch.endpoints.length === 0 ? null : { endpoints: watch.endpoints, version: 0 }
})

/** The record after `open` with its `close`, without unmatched reports. The posting follows the hold. */
export const begun = (open: Open): Transition => {
  const { at, close, delivery } = open
  const pending = opened(open)
  if (close === undefined) return { delivery: pending, posting: null }
  return closed({ ...pending, named: new Set(close.refs).size }, { ...close, id: delivery.id, at })
}

/** Whether the outcome of a delivery is still open, and its price held. */
export const isOpen = ({ phase }: Delivery): boolean => phase === "pending" || phase === "unknown"

/**
 * Whether a change of a delivery is news for its endpoints: the outcome has become known, or the status has moved. A
 * send that waits for its gateway is not news yet.
 *
 * @param before null for a delivery that is new
 */
export const isNews = (before: Delivery | null, after: Delivery): boolean =>
  ((before === null || isOpen(before)) && !isOpen(after)) ||
  (before !== null && before.status.name !== after.status.name)

/** Whether a claim that has not expired passes from its holder to a new delivery. */
export const passesOn = ({ heldUntil }: Claim, { phase }: Delivery): boolean =>
  heldUntil !== "expiry" && (phase === "rejected" || (phase === "refunded" && heldUntil === "end"))

/**
 * Whether a report may be about a delivery only by number and reference: while it is open, and after that for parts
 * whose answers were lost.
 */
export const isReferable = (delivery: Delivery): boolean =>
  isOpen(delivery) || (delivery.phase === "accepted" && delivery.parts > 1 && delivery.named < delivery.parts)

/** A delivery after `close`, without unmatched reports. */
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
 * A delivery after a report, with regard to its price: a report may refund it, and one about a part proves that the
 * gateway took the message.
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

/** The delivery after a report that took effect, due when the report says. */
export const rescheduled = (before: Delivery, after: Delivery, { dueAt }: Pick<Report, "dueAt">): Delivery =>
  dueAt === undefined || !isMoved(before, after) ? after : { ...after, dueAt }

/** Whether a report has changed the status or the details of a record, or given its price back. */
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
 * How well a delivery fits a report that has one of its refs: `exactly` by the reference, `perhaps` when neither
 * number nor reference differs, or `not`.
 *
 * @param preferred whether the spelling is the first of the report's
 */
export const fit = (
  delivery: Delivery,
  { reference, to }: AboutMessage,
  preferred: boolean
): "exactly" | "perhaps" | "not" => {
  if (to !== null && delivery.to !== ERASED && ending(to) !== ending(delivery.to)) return "not"
  if (reference === null || delivery.reference === null) return "perhaps"
  if (reference === delivery.reference) return "exactly"
  return preferred ? "perhaps" : "not"
}

// Reports may have a national form of the number, without the country code.
const ending = (number: string): string => number.slice(-7)
