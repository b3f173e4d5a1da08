/**
 * Where a code's message stands, and where a probe does. A message moves from `sent` over `delivered` to
 * `read`; `expired` and `revoked` end it. So does `failed`, unless the gateway proves that the message lived on.
 */
import type { ChatStatus } from "@watchword/schemas/Chat"
import type { Statuses } from "@watchword/send/Send"
import type { Status } from "@watchword/store/Delivery"

const UNDER_WAY = 0
const ACCEPTED = 1
const ARRIVED = 2
const OVER = 3

/** Each status of the interface as the store ranks it. */
export const status: { readonly [S in ChatStatus]: Status } = {
  sent: { name: "sent", rank: ACCEPTED },
  delivered: { name: "delivered", rank: ARRIVED },
  failed: { name: "failed", rank: ARRIVED },
  read: { name: "read", rank: OVER },
  expired: { name: "expired", rank: OVER },
  revoked: { name: "revoked", rank: OVER }
}

/** A message counts as sent from the moment it is on its way to the gateway. */
export const statuses: Statuses = {
  pending: { name: "sent", rank: UNDER_WAY },
  accepted: status.sent,
  failed: status.failed
}

/** Where a probe stands. The interface shows none of these. */
export const probe = {
  asking: { name: "asking", rank: UNDER_WAY },
  reachable: { name: "reachable", rank: ACCEPTED },
  unreachable: { name: "unreachable", rank: ARRIVED },
  spent: { name: "spent", rank: ARRIVED }
} as const satisfies Record<string, Status>

export const probeStatuses: Statuses = {
  pending: probe.asking,
  accepted: probe.reachable,
  failed: probe.unreachable
}
