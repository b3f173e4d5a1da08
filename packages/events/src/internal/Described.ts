/**
 * Events as their receivers see them, built from the store's outbox and the record of the delivery.
 *
 * The row of the outbox says what changed and in which version; the record, read when the event is sent, has the rest.
 */
import { type Event, eventTypes, matchesEvent } from "@watchword/schemas/Event"
import type { Product } from "@watchword/schemas/Channel"
import { toEuros } from "@watchword/schemas/Money"
import { type ChannelEvents, type OwnEvent, updates } from "@watchword/send/channel/Channel"
import type { Delivery } from "@watchword/store/Delivery"
import type { Event as Row } from "@watchword/store/Event"
import * as Context from "effect/Context"

/** The events of a service's products; a message's events for products without their own. */
export const Descriptions = Context.Reference<ReadonlyMap<Product, ChannelEvents>>(
  "@watchword/events/internal/Described/Descriptions",
  { defaultValue: () => new Map() }
)

/** An event of a service: a built-in one, or of a channel's own type. */
export type AnyEvent = Event | OwnEvent

type Descriptions = Context.Service.Shape<typeof Descriptions>

/** The types of events that changes of a product's deliveries may have. */
export const typesOf = (descriptions: Descriptions, product: Product): ReadonlyArray<string> =>
  (descriptions.get(product) ?? ofMessages).types

const ofMessages = updates()

/** Whether a text is a pattern of a type that some event of the service may have. */
export const isPattern = (descriptions: Descriptions, text: string): boolean =>
  [...eventTypes, ...[...descriptions.values()].flatMap(({ types }) => types)].some((type) => matchesEvent(text, type))

/** The error for a text that is not such a pattern. */
export const NO_PATTERN = "must be a type of event, such as verification.approved or verification.*, or *"

const KINDS: Readonly<Record<Row["fact"]["_tag"], true>> = { DeliveryChanged: true, BalanceLow: true, Test: true }

/** Whether this program can describe a row. Others are of newer programs, which work on the same store for a while. */
export const isKnown = ({ fact }: Row): boolean => Object.hasOwn(KINDS, fact._tag)

/** The events of a row. @param delivery the record of the delivery that it is about; null if it has no delivery */
export const of = (row: Row, delivery: Delivery | null, descriptions: Descriptions): ReadonlyArray<AnyEvent> =>
  described(row, delivery, descriptions).map((each) => ({ ...each, timestamp: iso(row.at) }))

const described = (
  { account, at, endpoint, fact, mode }: Row,
  delivery: Delivery | null,
  descriptions: Descriptions
): ReturnType<ChannelEvents["describe"]> => {
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
