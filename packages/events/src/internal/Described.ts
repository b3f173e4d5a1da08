/**
 * Events as their receivers see them, made of what the outbox of the store keeps and of the record of the delivery.
 *
 * The row of the outbox says what changed and in which version; the record, read when the event is sent, has the rest. A
 * channel may describe changes of its deliveries in its own words; all others are `delivery.updated`.
 */
import type { Event } from "@watchword/schemas/Event"
import type { Product } from "@watchword/schemas/Channel"
import { REASONS } from "@watchword/send/internal/GuardReasons"
import { toEuros } from "@watchword/schemas/Money"
import type { Delivery } from "@watchword/store/Delivery"
import type { DeliveryChanged, Event as Row } from "@watchword/store/Event"
import * as Context from "effect/Context"

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

/** How the channels of a service describe changes, by product. */
export const Descriptions = Context.Reference<ReadonlyMap<Product, Describe>>(
  "@watchword/events/internal/Described/Descriptions",
  { defaultValue: () => new Map() }
)

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

const anyMessage = message()

const KINDS: Readonly<Record<Row["fact"]["_tag"], true>> = { DeliveryChanged: true, BalanceLow: true, Test: true }

/** Whether this program can describe a row. Others are of newer programs, which work on the same store for a while. */
export const isKnown = ({ fact }: Row): boolean => Object.hasOwn(KINDS, fact._tag)

/** The events of a row. @param delivery the record of the delivery that it is about; null where there is none */
export const of = (
  row: Row,
  delivery: Delivery | null,
  descriptions: ReadonlyMap<Product, Describe>
): ReadonlyArray<Event> => described(row, delivery, descriptions).map((each) => ({ ...each, timestamp: iso(row.at) }))

const described = (
  { account, at, endpoint, fact, mode }: Row,
  delivery: Delivery | null,
  descriptions: ReadonlyMap<Product, Describe>
): ReadonlyArray<Described> => {
  switch (fact._tag) {
    case "Test":
      return [{ type: "webhook.test", data: { version: at, account_id: account, webhook_id: endpoint } }]
    case "BalanceLow": {
      const { available, threshold } = fact
      const money = { available: toEuros(available), threshold: toEuros(threshold) }
      return [{ type: "balance.low", data: { version: at, account_id: account, ...money } }]
    }
    case "DeliveryChanged": {
      if (delivery === null) return []
      const describe = descriptions.get(fact.channel) ?? anyMessage
      return describe({ delivery, fact, about: { version: fact.version, account_id: account, mode } })
    }
  }
}

const iso = (at: number): string => new Date(at).toISOString()
