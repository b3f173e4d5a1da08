/**
 * Events of verifications: it was created, a send of it was tried, it has ended.
 */
import { type Change, type ChannelEvents, type Described, refusal } from "@watchword/send/channel/Channel"
import { type EventOf, eventTypes } from "@watchword/schemas/Event"
import * as Predicate from "effect/Predicate"
import { toWire } from "./VerificationFormat.ts"
import { read } from "./VerificationRecord.ts"

type Type = EventOf<"verification.*">["type"]

const ends: Readonly<Record<string, Type>> = {
  pending: "verification.created",
  approved: "verification.approved",
  failed: "verification.failed",
  expired: "verification.expired",
  canceled: "verification.canceled",
  blocked: "verification.blocked"
}

/** The record may have gone on since the change: the status is that of the change. */
const describe: ChannelEvents["describe"] = (change) => {
  const { about, delivery, fact } = change
  const stored = read(delivery)
  const { status } = read({ ...delivery, status: { ...delivery.status, name: fact.status } }).plan
  const data = { ...about, ...toWire(stored), status }
  const type = fact.moved ? ends[fact.status] : undefined
  return [
    ...attempted(change, data),
    ...(type === undefined ? [] : [{ type, data } satisfies Described]),
    ...refusal(change)
  ]
}

/** All events of a verification, and the refusal of a guard. */
export const events: ChannelEvents = {
  types: eventTypes.filter((type) => type.startsWith("verification.") || type === "guard.tripped"),
  describe,
  own: {}
}

const attempted = ({ fact: { note } }: Change, data: EventOf<"verification.*">["data"]): ReadonlyArray<Described> => {
  const attempt = note?.name === "attempted" ? note.data["attempt"] : undefined
  return Predicate.isNumber(attempt) ? [{ type: "verification.attempted", data: { ...data, attempt } }] : []
}
