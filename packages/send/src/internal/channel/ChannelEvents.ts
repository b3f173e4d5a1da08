/**
 * Events of a channel's deliveries, as their receivers see them.
 *
 * Changes of a delivery are `delivery.updated`, and the refusal of a guard is `guard.tripped`. A channel may also have
 * types of its own, with data of its own.
 */
import type { Event, OwnTypes } from "@watchword/schemas/Event"
import type { AccountId } from "@watchword/schemas/Ids"
import type { Delivery } from "@watchword/store/Delivery"
import type { DeliveryChanged } from "@watchword/store/Event"
import { REASONS } from "../../pipeline/GuardReasons.ts"

type Timeless<E> = E extends Event ? Omit<E, "timestamp"> : never

/** An event without its time, which is that of the change. */
export type Described = Timeless<Event>

/** The first fields of every event's data. */
export interface About {
  readonly version: number
  readonly account_id: AccountId
  readonly mode: Delivery["mode"]
}

/** An event of a type that a channel has of its own. */
export type OwnEvent<Types extends OwnTypes = OwnTypes> = {
  readonly [T in keyof Types & string]: {
    readonly type: T
    readonly timestamp: string
    readonly data: About & Types[T]["Type"]
  }
}[keyof Types & string]

/** A change of a delivery: the current record, and the result of the step. */
export interface Change {
  readonly delivery: Delivery
  readonly fact: DeliveryChanged
  readonly about: About
}

/** The events of a product's deliveries. */
export interface ChannelEvents<out Types extends OwnTypes = OwnTypes> {
  /** The types that they may have, by which endpoints ask for them. */
  readonly types: ReadonlyArray<string>
  /** Empty if receivers need not know of the change. */
  readonly describe: (change: Change) => ReadonlyArray<Described | Omit<OwnEvent, "timestamp">>
  readonly own: Types
}

/** The events of messages, whose ids clients know by another spelling perhaps. */
export const updates = (idOf: (delivery: Delivery) => string = ({ id }) => id): ChannelEvents<{}> => ({
  types: ["delivery.updated", "guard.tripped"],
  describe: (change) => {
    const { about, delivery, fact } = change
    const { channel, to } = delivery
    const id = idOf(delivery)
    return [
      { type: "delivery.updated", data: { ...about, channel, id, to, status: fact.status } },
      ...refusal(change, id)
    ]
  },
  own: {}
})

/**
 * The events of messages, and the channel's own types, whose names begin with the channel's name.
 *
 * @param own the schemas of their data, whose descriptions say when such an event happens
 * @param describe data of a change's events other than `delivery.updated`, by type; none for most changes
 */
export const updatesAnd = <const Types extends OwnTypes>(
  own: Types,
  describe: (change: Change) => { readonly [T in keyof Types]?: Types[T]["Type"] }
): ChannelEvents<Types> => ({
  types: [...messages.types, ...Object.keys(own)],
  describe: (change) => [
    ...messages.describe(change),
    ...Object.entries<object | undefined>(describe(change)).flatMap(([type, data]) =>
      data === undefined ? [] : [{ type, data: { ...change.about, ...data } }]
    )
  ],
  own
})

const messages = updates()

/** The refusal of a guard, where the change is that. */
export const refusal = (
  { about, delivery: { channel, details, id, to }, fact }: Change,
  wireId: string = id
): ReadonlyArray<Described> => {
  if (!fact.moved || fact.status !== "blocked") return []
  const reasons = String(details[REASONS] ?? "").split(" ")
  return [{ type: "guard.tripped", data: { ...about, channel, id: wireId, to, reasons } }]
}
