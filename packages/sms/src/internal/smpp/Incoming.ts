/**
 * Separates receipts from subscribers' texts; a carrier sends both as deliver_sm.
 *
 * A subscriber can write a text that reads like a receipt, and message ids are often consecutive. A receipt that is not
 * marked as one therefore has to name a recent message to the number that it comes from, and is not believed that the
 * message failed: that would be final, and a verification would pay for its next step. None of this applies to links
 * that are known to bring only receipts.
 */
import type { SmsEvent } from "../../SmsGateway.ts"
import type { DeliverSm } from "./DeliverSm.ts"
import type { Link } from "./Link.ts"
import type { MessageIds } from "./MessageIds.ts"
import * as Receipt from "./Receipt.ts"

export type Incoming =
  | {
      readonly _tag: "Receipt"
      readonly event: Extract<SmsEvent, { readonly _tag: "Receipt" }>
      /** The message id as written in the receipt. */
      readonly id: string
    }
  /** A text of a subscriber, or a part of one. */
  | { readonly _tag: "Text" }
  /** Reads like a receipt, without a mark and without a message that it fits. */
  | { readonly _tag: "Doubtful" }
  /** A receipt that names no message. */
  | { readonly _tag: "Nameless" }

export const classify = (link: Link, message: DeliverSm): Incoming => {
  const { ids, options } = link
  const receipt = Receipt.read(message, options.states, options.national)
  if (receipt === undefined) return { _tag: "Text" }
  const { carrierError, carrierStatus, id, reference, status } = receipt
  const isBelieved = receipt.marked || options.unmarkedReceipts
  const to = isBelieved ? recipientOf(ids, receipt) : receipt.to
  const refs = isBelieved ? ids.spellings(id, to) : rememberedOf(ids, receipt)
  if (refs === null) return { _tag: "Doubtful" }
  if (refs.length === 0 && (to === null || reference === null)) return { _tag: "Nameless" }
  const isOfAllParts = options.receipts === "message"
  return {
    _tag: "Receipt",
    event: { _tag: "Receipt", refs, to, reference, status, carrierStatus, carrierError, isOfAllParts },
    id
  }
}

/**
 * The number that a receipt comes from, or that it goes to where a message with its id is to that one: not all carriers
 * swap the two.
 */
const recipientOf = (ids: MessageIds, { destination, id, to }: Receipt.Receipt): string | null => {
  const isSwapped = destination === null || (to !== null && ids.isTo(id, to)) || !ids.isTo(id, destination)
  return isSwapped ? to : destination
}

/** The message that an unmarked receipt is about; null for a receipt that cannot be trusted. */
const rememberedOf = (ids: MessageIds, { id, status, to }: Receipt.Receipt): ReadonlyArray<string> | null => {
  const hasFailed = status === "undelivered" || status === "failed"
  const ref = hasFailed || to === null ? undefined : ids.remembered(id, to)
  return ref === undefined ? null : [ref]
}
