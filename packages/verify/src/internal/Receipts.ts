/**
 * Reads the answer of a send's gateway, and the send's arrival, from its record.
 */
import { type MicroEuros, zero } from "@watchword/schemas/Money"
import { REASONS } from "@watchword/send/pipeline"
import type { Delivery } from "@watchword/store/Delivery"
import { isOpen } from "@watchword/store/step"
import type { CodeChannels } from "./CodeChannels.ts"
import type { Answer, Receipt } from "./plan/Sends.ts"

/** The record of a send, and the cost of it and its probe. */
export interface Sent {
  readonly record: Delivery
  readonly price: MicroEuros
}

/** The price of a record that was not given back, held or settled. */
export const lossOf = ({ phase, price }: Pick<Delivery, "phase" | "price">): MicroEuros =>
  phase === "rejected" || phase === "refunded" ? zero : price

/** How the records of sends are read, by the rules of their channels. */
export interface Receipts {
  /** The answer of a send's gateway; null while it is asked. */
  readonly answerOf: (sent: Sent) => Answer | null
  /** The receipt of a send; null if nothing is known of it yet. */
  readonly receiptOf: (sent: Sent) => Receipt | null
}

export const make = ({ named }: CodeChannels): Receipts => {
  const answerOf: Receipts["answerOf"] = (sent) => {
    const { channel, details, phase, statusAt } = sent.record
    switch (phase) {
      case "pending":
        return null
      case "unknown":
        return unheard(sent)
      case "accepted":
      case "refunded":
        return { ...unheard(sent), outcome: "accepted", since: statusAt, receipt: receiptOf(sent) }
      case "rejected": {
        const doubt = named(channel)?.doubt(sent.record) ?? null
        if (doubt === "unknown") return unheard(sent)
        // It is still a send, but nothing more will be heard of it: it counts against the budget, and the next step
        // follows.
        if (doubt === "accepted") return { ...unheard(sent), outcome: "accepted", receipt: receiptOf(sent) }
        const reason = String(ruleOf(sent.record) ?? details["failure"] ?? "SERVICE_UNAVAILABLE")
        return { ...unheard(sent), outcome: "undelivered", reason }
      }
    }
  }

  const receiptOf: Receipts["receiptOf"] = ({ price, record }) => {
    if (isOpen(record)) return null
    const rules = named(record.channel)
    const arrival = rules?.arrival(record) ?? null
    if (arrival === "revoked") return { outcome: "revoked", price }
    if (rules?.doubt(record) === "unknown") return { outcome: "unknown", price }
    if (record.phase === "rejected") return { outcome: "undelivered", price }
    if (arrival === "arrived") return { outcome: "delivered", price }
    return { outcome: arrival === "lost" ? "undelivered" : "accepted", price }
  }

  return { answerOf, receiptOf }
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

/** The first of the rules by which a guard refused a send. */
const ruleOf = ({ details, status }: Pick<Delivery, "details" | "status">): string | undefined => {
  const rules = status.name === "blocked" ? details[REASONS] : undefined
  return typeof rules === "string" ? rules.split(" ")[0] : undefined
}
