/**
 * Where a text stands. A record moves from `sent` over `delivered` to `read`, or to `failed`.
 */
import type { BusinessChatStatus } from "@watchword/schemas/BusinessChat"
import type { Statuses } from "@watchword/send/Send"
import type { Status } from "@watchword/store/Delivery"

const UNDER_WAY = 0
const ACCEPTED = 1
const ARRIVED = 2
const OVER = 3

/** Each status as the store ranks it. */
export const status: { readonly [S in BusinessChatStatus]: Status } = {
  sent: { name: "sent", rank: ACCEPTED },
  delivered: { name: "delivered", rank: ARRIVED },
  failed: { name: "failed", rank: ARRIVED },
  read: { name: "read", rank: OVER }
}

/** A text counts as sent from the moment it is on its way to the platform. */
export const statuses: Statuses = {
  pending: { name: "sent", rank: UNDER_WAY },
  accepted: status.sent,
  failed: status.failed
}
