/**
 * What the record of a send says of it: the answer of its gateway, and its arrival.
 */
import { INTERRUPTED, MAY_HAVE_RUNG } from "@watchword/schemas/Call"
import { type MicroEuros, zero } from "@watchword/schemas/Money"
import { REASONS } from "@watchword/send/internal/GuardReasons"
import type { Delivery } from "@watchword/store/Delivery"
import * as Transitions from "@watchword/store/internal/Transitions"
import type { Attempt, AttemptOutcome } from "./plan/Plan.ts"
import type { Answer, Receipt } from "./plan/Sends.ts"

/** The record of a send, and what the balance has lost for it and for its probe. */
export interface Sent {
  readonly record: Delivery
  readonly price: MicroEuros
}

/** The price of a record that was not given back, held or settled. */
export const lossOf = ({ phase, price }: Pick<Delivery, "phase" | "price">): MicroEuros =>
  phase === "rejected" || phase === "refunded" ? zero : price

/** The answer of a send's gateway; null while it is asked. */
export const answerOf = (sent: Sent): Answer | null => {
  const { details, phase, statusAt } = sent.record
  switch (phase) {
    case "pending":
      return null
    case "unknown":
      return unheard(sent)
    case "accepted":
    case "refunded":
      return { ...unheard(sent), outcome: "accepted", since: statusAt, receipt: receiptOf(sent) }
    case "rejected": {
      if (mayHaveRung(sent.record)) return unheard(sent)
      // A send all the same, of which nothing more is to be heard: it takes one of the budget, and the next step follows.
      if (details[MAY_HAVE_RUNG] === true) return { ...unheard(sent), outcome: "accepted", receipt: receiptOf(sent) }
      const reason = String(ruleOf(sent.record) ?? details["failure"] ?? "SERVICE_UNAVAILABLE")
      return { ...unheard(sent), outcome: "undelivered", reason }
    }
  }
}

/** The answer to a send whose gateway was asked, and is not waited for any more. */
export const unheard = ({ price, record: { createdAt, id } }: Sent): Answer => ({
  outcome: "unknown",
  delivery: id,
  price,
  reason: null,
  since: createdAt,
  receipt: null
})

/** The receipt of a send; null where nothing is known of it yet. */
export const receiptOf = ({ price, record }: Sent): Receipt | null => {
  const { channel, details, phase, status } = record
  if (Transitions.isOpen(record)) return null
  if (status.name === REVOKED) return { outcome: "revoked", price }
  if (mayHaveRung(record)) return { outcome: "unknown", price }
  if (phase === "rejected") return { outcome: "undelivered", price }
  if (ARRIVED.has(status.name)) return { outcome: "delivered", price }
  const isLost = LOST.has(status.name) || (channel === "call" && isDropped(details["hangup_cause"]))
  return { outcome: isLost ? "undelivered" : "accepted", price }
}

/**
 * Whether a record that may be older than its plan is enough to go by: of a send whose outcome is final the newest record has
 * the say.
 */
export const saysMore = ({ outcome }: Pick<Attempt, "outcome">, record: Delivery): boolean => {
  if (outcome === "opening") return true
  const after = receiptOf({ record, price: lossOf(record) })?.outcome ?? "accepted"
  return isUndecided(outcome) && !isUndecided(after)
}

const isUndecided = (outcome: AttemptOutcome): boolean => outcome === "accepted" || outcome === "unknown"

/** Whether a call is free because its process died, and may have rung: the phone shows its caller then. */
const mayHaveRung = ({ details }: Delivery): boolean => details[INTERRUPTED] === true

/** The first of the rules by which a guard refused a send. */
const ruleOf = ({ details, status }: Pick<Delivery, "details" | "status">): string | undefined => {
  const rules = status.name === "blocked" ? details[REASONS] : undefined
  return typeof rules === "string" ? rules.split(" ")[0] : undefined
}

const REVOKED = "revoked"
const ARRIVED = new Set(["delivered", "read"])
const LOST = new Set(["undelivered", "failed", "expired"])

/**
 * Whether the network has ended a call. Where the service or the callee did, the phone has shown the caller; that it
 * rang is no proof that the user has seen it, so the next step is taken when nothing is heard until the time-out.
 */
const isDropped = (cause: unknown): boolean => typeof cause === "string" && !SHOWN.has(cause)

const SHOWN = new Set(["NO_ANSWER", "ORIGINATOR_CANCEL", "NORMAL_CLEARING", "USER_BUSY", "CALL_REJECTED"])
