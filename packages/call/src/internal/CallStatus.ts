/**
 * The statuses of a call. A record moves from `pending` to `ringing` to `ended`, or to `failed` when the phone
 * never rang. The public record shows the cause of the end instead; these names are used in the store only.
 */
import type { Statuses } from "@watchword/send/Send"
import type { Status } from "@watchword/store/Delivery"

export const status = {
  pending: { name: "pending", rank: 0 },
  ringing: { name: "ringing", rank: 1 },
  ended: { name: "ended", rank: 2 },
  failed: { name: "failed", rank: 2 }
} as const satisfies Record<string, Status>

/** A call is accepted, and charged, when the phone rings. */
export const statuses: Statuses = { pending: status.pending, accepted: status.ringing, failed: status.failed }
