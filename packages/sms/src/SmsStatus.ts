/**
 * Where an SMS stands. A record moves from `sent` to one of the three final statuses and stays there.
 */
import type { SmsStatus } from "@watchword/schemas/Sms"
import type { Statuses } from "@watchword/send/Send"
import type { Status } from "@watchword/store/Delivery"

const UNDER_WAY = 0
const ACCEPTED = 1
const FINAL = 2

/** Each status of the interface as the store ranks it. */
export const status: { readonly [S in SmsStatus]: Status } = {
  sent: { name: "sent", rank: ACCEPTED },
  delivered: { name: "delivered", rank: FINAL },
  undelivered: { name: "undelivered", rank: FINAL },
  failed: { name: "failed", rank: FINAL }
}

/** A message counts as sent from the moment it is on its way to the carrier. */
export const statuses: Statuses = {
  pending: { name: "sent", rank: UNDER_WAY },
  accepted: status.sent,
  failed: status.failed
}
