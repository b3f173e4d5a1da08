/**
 * What the record of a send says of its arrival.
 */
import { zero } from "@watchword/schemas/Money"
import type { Delivery } from "@watchword/store/Delivery"
import type { Receipt } from "./plan/Sends.ts"

/** The final receipt of a send; null where it may still arrive, or where that is not to be known. */
export const receiptOf = ({ channel, details, phase, price, status }: Delivery): Receipt | null => {
  const isFree = phase === "rejected" || phase === "refunded"
  if (status.name === REVOKED) return { outcome: "revoked", price: isFree ? zero : price }
  if (isFree) return { outcome: "undelivered", price: zero }
  if (ARRIVED.has(status.name)) return { outcome: "delivered", price }
  const isLost = LOST.has(status.name) || (channel === "call" && isDropped(details["hangup_cause"]))
  return isLost ? { outcome: "undelivered", price } : null
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
