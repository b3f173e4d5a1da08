/**
 * Events of a channel's deliveries, as their receivers see them.
 *
 * A channel may describe changes of its deliveries in its own words; all others are `delivery.updated`.
 */
import type { Event, EventType } from "@watchword/schemas/Event"
import type { Delivery } from "@watchword/store/Delivery"
import type { DeliveryChanged } from "@watchword/store/Event"
import { REASONS } from "../GuardReasons.ts"

type Timeless<E> = E extends Event ? Omit<E, "timestamp"> : never

/** An event without its time, which is that of the change. */
export type Described = Timeless<Event>

/** A change of a delivery: the record as it is now, and what the step has made of it. */
export interface Change {
  readonly delivery: Delivery
  readonly fact: DeliveryChanged
  /** The first fields of every event's data. */
  readonly about: {
    readonly version: number
    readonly account_id: Delivery["account"]
    readonly mode: Delivery["mode"]
  }
}

/** The events of a change; none where it is nothing that receivers should know. */
export type Describe = (change: Change) => ReadonlyArray<Described>

/** The events of a product's deliveries: the types that they may have, by which endpoints ask for them, and their words. */
export interface ChannelEvents {
  readonly types: ReadonlyArray<EventType>
  readonly describe: Describe
}

/** Types of the changes of a message. */
const UPDATES: ReadonlyArray<EventType> = ["delivery.updated", "guard.tripped"]

/** The events of messages, whose ids clients know by another spelling perhaps. */
export const updates = (idOf?: (delivery: Delivery) => string): ChannelEvents => ({
  types: UPDATES,
  describe: message(idOf)
})

/** A change of a message, whose id clients know by another spelling perhaps. */
export const message =
  (idOf: (delivery: Delivery) => string = ({ id }) => id): Describe =>
  (change) => {
    const { about, delivery, fact } = change
    const { channel, to } = delivery
    const id = idOf(delivery)
    return [
      { type: "delivery.updated", data: { ...about, channel, id, to, status: fact.status } },
      ...refusal(change, id)
    ]
  }

/** The refusal of a guard, where the change is that. */
export const refusal = (
  { about, delivery: { channel, details, id, to }, fact }: Change,
  wireId: string = id
): ReadonlyArray<Described> => {
  if (!fact.moved || fact.status !== "blocked") return []
  const reasons = String(details[REASONS] ?? "").split(" ")
  return [{ type: "guard.tripped", data: { ...about, channel, id: wireId, to, reasons } }]
}
