/**
 * Statuses of a text: `sent`, then `delivered`, `failed` or `read`.
 *
 * The platform may report several of them of one text, in any order, and the record has the same end in each: `failed`
 * wins, because its price may be given back then, and because a verification must not rely on such a text.
 */
import { ACCEPTED, ARRIVED, OVER, PENDING } from "@watchword/send/channel/ChannelRecords"
import { type ReportedOutcome, reportedStatus, verified } from "@watchword/records/Records"
import type { BizchatOutcome, BizchatStatus } from "@watchword/schemas/Bizchat"
import type { Statuses } from "@watchword/send/Send"
import type { Status } from "@watchword/store/Delivery"

/** Each status as the store ranks it. */
export const status: { readonly [S in BizchatStatus]: Status } = {
  sent: { name: "sent", rank: ACCEPTED },
  delivered: { name: "delivered", rank: ARRIVED },
  read: { name: "read", rank: OVER },
  failed: { name: "failed", rank: OVER + 1 }
}

/** A text counts as sent from the moment it is on its way to the platform. */
export const statuses: Statuses = {
  pending: { name: "sent", rank: PENDING },
  accepted: status.sent,
  failed: status.failed
}

/**
 * The outcomes that an account may report. A text that was read has been delivered; a delivered message has not failed.
 */
export const outcomes: { readonly [O in BizchatOutcome]: ReportedOutcome } = {
  Success: verified(reportedStatus(status.delivered, [status.read.name])),
  Failed: reportedStatus({ ...status.failed, rank: ARRIVED })
}
