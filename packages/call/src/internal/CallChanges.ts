/**
 * Events of calls: in addition to `delivery.updated`, the end of each call.
 */
import { type ChannelEvents, type Described, updates } from "@watchword/send/channel/Channel"
import { format } from "./CallRecord.ts"
import { status } from "./CallStatus.ts"

const { describe: updated, types } = updates()

const describe: ChannelEvents["describe"] = (change) => {
  const { about, delivery, fact } = change
  if (!ENDS.includes(fact.status)) return updated(change)
  const { callee, duration, hangup_cause, uuid } = format.toWire(delivery)
  const ended: Described = { type: "call.ended", data: { ...about, id: uuid, callee, hangup_cause, duration } }
  return [...updated(change), ended]
}

export const events: ChannelEvents<{}> = { types: [...types, "call.ended"], describe, own: {} }

const ENDS: ReadonlyArray<string> = [status.ended.name, status.failed.name]
