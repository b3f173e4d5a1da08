/**
 * Statuses of a code's message and of a probe. A message moves from `sent` over `delivered` to `read`; `expired` and
 * `revoked` end it, and so does `failed`, unless the gateway reports a later state.
 */
import { ACCEPTED, ARRIVED, OVER, PENDING } from "@watchword/send/channel/ChannelRecords"
import { type ReportedOutcome, reportedStatus, verified } from "@watchword/records/Records"
import type { ChatgwOutcome, ChatgwStatus } from "@watchword/schemas/Chatgw"
import type { Statuses } from "@watchword/send/Send"
import type { Arrival } from "@watchword/send/channel/Channel"
import type { Delivery, Status } from "@watchword/store/Delivery"

/** Each status of the interface as the store ranks it. */
export const status: { readonly [S in ChatgwStatus]: Status } = {
  sent: { name: "sent", rank: ACCEPTED },
  delivered: { name: "delivered", rank: ARRIVED },
  failed: { name: "failed", rank: ARRIVED },
  read: { name: "read", rank: OVER },
  expired: { name: "expired", rank: OVER },
  revoked: { name: "revoked", rank: OVER }
}

/** A message counts as sent from the moment it is on its way to the gateway. */
export const statuses: Statuses = {
  pending: { name: "sent", rank: PENDING },
  accepted: status.sent,
  failed: status.failed
}

/** The arrival of a message by its status. */
export const arrival = ({ status: { name } }: Pick<Delivery, "status">): Arrival | null => ARRIVALS.get(name) ?? null

const ARRIVALS: ReadonlyMap<string, Arrival> = new Map([
  [status.delivered.name, "arrived"],
  [status.read.name, "arrived"],
  [status.failed.name, "lost"],
  [status.expired.name, "lost"],
  [status.revoked.name, "revoked"]
])

/** The outcomes that an account may report. A message that was read has been delivered. */
export const outcomes: { readonly [O in ChatgwOutcome]: ReportedOutcome } = {
  Success: verified(reportedStatus(status.delivered, [status.read.name])),
  Failed: reportedStatus(status.failed)
}

/** Statuses of a probe. The interface shows none of these. */
export const probe = {
  asking: { name: "asking", rank: PENDING },
  reachable: { name: "reachable", rank: ACCEPTED },
  unreachable: { name: "unreachable", rank: ARRIVED },
  spent: { name: "spent", rank: ARRIVED }
} as const satisfies Record<string, Status>

export const probeStatuses: Statuses = {
  pending: probe.asking,
  accepted: probe.reachable,
  failed: probe.unreachable
}
