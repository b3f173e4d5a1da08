/**
 * Statuses of an SMS: `sent`, then one of the three final ones.
 */
import type { Arrival } from "@watchword/send/channel/Channel"
import { ACCEPTED, ARRIVED, PENDING } from "@watchword/send/channel/ChannelRecords"
import type { SmsStatus } from "@watchword/schemas/Sms"
import type { Statuses } from "@watchword/send/Send"
import type { Delivery, Status } from "@watchword/store/Delivery"

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

/** The arrival of a text by its record. */
export const arrival = ({ status: { name } }: Pick<Delivery, "status">): Arrival | null =>
  name === status.delivered.name ? "arrived" : LOST.has(name) ? "lost" : null

const LOST = new Set([status.undelivered.name, status.failed.name])
