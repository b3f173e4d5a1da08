/**
 * The messages of an account's sandbox records.
 */
import type { ProductEntry } from "@watchword/schemas/ChannelRegistry"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { InboxMessage } from "@watchword/schemas/SandboxPhone"
import { contentOf } from "@watchword/send/pipeline"
import type { Delivery } from "@watchword/store/Delivery"
import type { Listing, Service as Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"

export interface Wanted {
  readonly account: AccountId
  readonly products: ReadonlyArray<ProductEntry>
  readonly to: string | null
  /** Only messages with a greater id. */
  readonly after: DeliveryId | null
  /** The time from which on records are looked at, in milliseconds since the epoch. */
  readonly since: number
}

export const MOST = 100

/** The messages of the newest records. */
export const read = (store: Store, wanted: Wanted): Effect.Effect<ReadonlyArray<InboxMessage>, StoreError> =>
  Effect.map(records(store, wanted), (deliveries) => deliveries.flatMap(messageOf).slice(0, MOST))

/** Reads one page of each product, by the time that its lists have an index on; newest first. */
export const records = (store: Store, wanted: Wanted): Effect.Effect<ReadonlyArray<Delivery>, StoreError> =>
  Effect.map(
    Effect.forEach(wanted.products, (product) => store.list(listing(wanted, product)), { concurrency: "unbounded" }),
    (pages) =>
      pages
        .flatMap(({ rows }) => rows)
        .filter(({ id }) => wanted.after === null || id > wanted.after)
        .sort((a, b) => (a.id < b.id ? 1 : -1))
  )

const listing = ({ account, since, to }: Wanted, { listedBy, name }: ProductEntry): Listing => ({
  account,
  mode: "sandbox",
  channel: name,
  where: [
    { _tag: "Range", field: listedBy, gte: since },
    ...(to === null ? [] : [{ _tag: "In", field: "to", values: [to] } as const])
  ],
  sort: { field: listedBy, direction: "DESC" },
  offset: 0,
  limit: MOST
})

/** The message of a record whose gateway took it; none if it refused it, or is still being asked. */
export const messageOf = (delivery: Delivery): ReadonlyArray<InboxMessage> => {
  const { channel, createdAt, from, id, phase, to } = delivery
  const content = phase === "pending" || phase === "rejected" ? null : contentOf(delivery)
  if (content === null) return []
  const { code, text } = content
  return [{ id, channel, to, from: content.from ?? from, text, code, at: new Date(createdAt).toISOString() }]
}
