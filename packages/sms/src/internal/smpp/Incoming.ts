/**
 * Tells receipts from the texts of subscribers, both of which a carrier sends as deliver_sm.
 *
 * A subscriber can write a text that reads like a receipt, and message ids are often consecutive. A receipt that is
 * not marked as one therefore has to name a recent message to the number that it comes from, and is not believed that the
 * message failed: that would be final, and a verification would pay for its next step. All of this does not hold for
 * links that are known to bring receipts only.
 */
import type { SmsEvent } from "../../SmsGateway.ts"
import type { DeliverSm } from "./DeliverSm.ts"
import type { Link } from "./Link.ts"
import * as Receipt from "./Receipt.ts"

export type Incoming =
  | { readonly _tag: "Receipt"; readonly event: SmsEvent }
  /** A text of a subscriber. The service takes none. */
  | { readonly _tag: "Text" }
  /** Reads like a receipt, without a mark and without a message that it fits. */
  | { readonly _tag: "Doubtful" }
  /** A receipt that names no message. */
  | { readonly _tag: "Nameless" }

export const classify = (link: Link, message: DeliverSm): Incoming => {
  const receipt = Receipt.read(message)
  if (receipt === undefined) return { _tag: "Text" }
  const { carrierError, carrierStatus, reference, status, to } = receipt
  const refs = refsOf(link, receipt)
  if (refs === null) return { _tag: "Doubtful" }
  if (refs.length === 0 && (to === null || reference === null)) return { _tag: "Nameless" }
  return { _tag: "Receipt", event: { _tag: "Receipt", refs, to, reference, status, carrierStatus, carrierError } }
}

/** Spellings of the message that a receipt is about; null for an unmarked one that is not to be believed. */
const refsOf = ({ ids, options }: Link, { id, marked, status, to }: Receipt.Receipt): ReadonlyArray<string> | null => {
  if (marked || options.unmarkedReceipts) return ids.spellings(id, to)
  const hasFailed = status === "undelivered" || status === "failed"
  const ref = hasFailed || to === null ? undefined : ids.remembered(id, to)
  return ref === undefined ? null : [ref]
}
