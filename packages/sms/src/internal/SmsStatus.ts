/**
 * Statuses of an SMS: `sent`, then one of the three final ones.
 */
import { ACCEPTED, ARRIVED, PENDING } from "@watchword/send/internal/channel/Ranks"
import type { SmsStatus } from "@watchword/schemas/Sms"
import type { Statuses } from "@watchword/send/Request"
import type { Status } from "@watchword/store/Delivery"

/** Each status of the interface as the store ranks it. */
export const status: { readonly [S in SmsStatus]: Status } = {
  sent: { name: "sent", rank: ACCEPTED },
  delivered: { name: "delivered", rank: ARRIVED },
  undelivered: { name: "undelivered", rank: ARRIVED },
  failed: { name: "failed", rank: ARRIVED }
}

/** A message counts as sent from the moment it is on its way to the carrier. */
export const statuses: Statuses = {
  pending: { name: "sent", rank: PENDING },
  accepted: status.sent,
  failed: status.failed
}
