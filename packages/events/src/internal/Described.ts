/**
 * Events as their receivers see them, made of what the outbox of the store keeps and of the record of the delivery.
 *
 * The row of the outbox says what changed and in which version; the record, read when the event is sent, has the rest.
 */
import type { Event, EventType } from "@watchword/schemas/Event"
import type { Product } from "@watchword/schemas/Channel"
import { toEuros } from "@watchword/schemas/Money"
import { type ChannelEvents, type Described, updates } from "@watchword/send/internal/channel/ChannelEvents"
import type { Delivery } from "@watchword/store/Delivery"
import type { Event as Row } from "@watchword/store/Event"
import * as Context from "effect/Context"

/** The events of the products of a service; those of messages where it has none. */
export const Descriptions = Context.Reference<ReadonlyMap<Product, ChannelEvents>>(
  "@watchword/events/internal/Described/Descriptions",
  { defaultValue: () => new Map() }
)

/** The types of events that changes of a product's deliveries may have. */
export const typesOf = (
  descriptions: ReadonlyMap<Product, ChannelEvents>,
  product: Product
): ReadonlyArray<EventType> => (descriptions.get(product) ?? ofMessages).types

const ofMessages = updates()

const KINDS: Readonly<Record<Row["fact"]["_tag"], true>> = { DeliveryChanged: true, BalanceLow: true, Test: true }

/** Whether this program can describe a row. Others are of newer programs, which work on the same store for a while. */
export const isKnown = ({ fact }: Row): boolean => Object.hasOwn(KINDS, fact._tag)

/** The events of a row. @param delivery the record of the delivery that it is about; null where there is none */
export const of = (
  row: Row,
  delivery: Delivery | null,
  descriptions: ReadonlyMap<Product, ChannelEvents>
): ReadonlyArray<Event> => described(row, delivery, descriptions).map((each) => ({ ...each, timestamp: iso(row.at) }))

const described = (
  { account, at, endpoint, fact, mode }: Row,
  delivery: Delivery | null,
  descriptions: ReadonlyMap<Product, ChannelEvents>
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
      const { describe } = descriptions.get(fact.channel) ?? ofMessages
      return describe({ delivery, fact, about: { version: fact.version, account_id: account, mode } })
    }
  }
}

const iso = (at: number): string => new Date(at).toISOString()
