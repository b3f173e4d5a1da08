import type { Mode, Product } from "@watchword/schemas/Channel"
import { type AccountId, type DeliveryId, firstUlid } from "@watchword/schemas/Ids"
import type { Delivery } from "../../Delivery.ts"
import type { DeliveryStore } from "../DeliveryStore.ts"
import {
  type Counting,
  type Found,
  type Listing,
  type Newest,
  type Page,
  type StatusCount,
  compare,
  idsOf,
  meets,
  pageOf
} from "../../Listing.ts"
import type { RetentionStore } from "../RetentionStore.ts"
import { isOpen, isReferable } from "../../step/Transitions.ts"
import * as Ids from "./Ids.ts"

/** Delivery records, and which of them are open, referable or scheduled. */
export const make = () => {
  const rows = new Map<DeliveryId, Delivery>()
  const ids = Ids.make((id) => rows.has(id))
  const open = new Map<DeliveryId, Delivery>()
  const referred = new Map<DeliveryId, Delivery>()
  const scheduled = new Map<DeliveryId, number>()

  const get = (id: DeliveryId): Delivery | undefined => rows.get(id)

  const put = (delivery: Delivery): void => {
    if (!rows.has(delivery.id)) ids.add(delivery.id)
    rows.set(delivery.id, delivery)
    if (isOpen(delivery)) open.set(delivery.id, delivery)
    else open.delete(delivery.id)
    if (isReferable(delivery)) referred.set(delivery.id, delivery)
    else referred.delete(delivery.id)
    if (delivery.dueAt !== null) scheduled.set(delivery.id, delivery.dueAt)
    else scheduled.delete(delivery.id)
  }

  const remove = (id: DeliveryId): void => {
    for (const index of [rows, open, referred, scheduled]) index.delete(id)
    ids.tidy(rows.size)
  }

  const rowsOf = (found: ReadonlyArray<DeliveryId>): ReadonlyArray<Delivery> => found.flatMap((id) => get(id) ?? [])

  const before = ({
    after,
    before,
    limit
  }: Parameters<RetentionStore["deliveriesBefore"]>[0]): ReadonlyArray<Delivery> =>
    rowsOf(ids.first(after === null ? "" : `${after} `, firstUlid(before), limit))

  const referable = (channel: Product, to: string, reference: number): ReadonlyArray<Delivery> =>
    [...referred.values()].filter((row) => row.channel === channel && row.to === to && row.reference === reference)

  const all = (): ReadonlyArray<Delivery> => [...rows.values()]

  const list = (listing: Listing): Page => pageOf([...rows.values()].filter(isIn(listing)), listing)

  const unresolved = (phase: "pending" | "unknown", createdBefore: number): ReadonlyArray<Delivery> =>
    oldest([...open.values()].filter((row) => row.phase === phase && row.createdAt < createdBefore))

  const inStatus = (channel: Product, status: string): ReadonlyArray<Delivery> =>
    oldest([...rows.values()].filter((row) => row.channel === channel && row.status.name === status))

  const due = (channel: Product, now: number, limit: number): ReadonlyArray<Delivery> =>
    [...scheduled]
      .filter(([, dueAt]) => dueAt <= now)
      .sort(([a, one], [b, other]) => one - other || compare(a, b))
      .flatMap(([id]) => get(id) ?? [])
      .filter((row) => row.channel === channel)
      .slice(0, limit)

  const to = (query: Parameters<DeliveryStore["deliveriesTo"]>[0]): ReadonlyArray<Delivery> =>
    [...rows.values()]
      .filter((row) => row.to === query.to && row.createdAt >= query.since && row.statusAt <= query.until)
      .sort((a, b) => b.createdAt - a.createdAt || compare(b.id, a.id))
      .slice(0, query.limit)

  const newest = (query: Newest): Found => {
    const { account, channels, limit, mode, reach, where } = query
    const { end, first } = idsOf(query)
    const within = rowsOf(ids.last(first, end, reach))
    const found = within
      .filter((row) => (account ?? row.account) === row.account && (mode ?? row.mode) === row.mode)
      .filter((row) => channels.includes(row.channel) && where.every((condition) => meets(row, condition)))
      .slice(0, limit)
    const last = found.length === limit ? found.at(-1) : within.length >= reach ? within.at(-1) : undefined
    return { rows: found, next: last?.id ?? null }
  }

  const counts = ({ products, since, until }: Counting): ReadonlyArray<StatusCount> => {
    const times = new Map(products.map(({ listedBy, name }) => [name, listedBy]))
    const found = new Map<string, StatusCount>()
    for (const row of rows.values()) {
      const { channel, mode, status } = row
      const time = times.get(channel)
      if (time === undefined || row[time] < since || row[time] >= until) continue
      const key = JSON.stringify([mode, channel, status.name])
      found.set(key, { mode, channel, status: status.name, count: (found.get(key)?.count ?? 0) + 1 })
    }
    return [...found.values()]
  }

  return { get, put, remove, before, all, to, newest, counts, referable, list, unresolved, inStatus, due }
}

export type Deliveries = ReturnType<typeof make>

const oldest = (deliveries: Array<Delivery>): ReadonlyArray<Delivery> =>
  deliveries.sort((a, b) => a.createdAt - b.createdAt || compare(a.id, b.id))

/** Whether a delivery is in a partition: of an account, a mode and a channel. */
export const isIn =
  (partition: { readonly account: AccountId; readonly mode: Mode; readonly channel: Product }) =>
  ({ account, channel, mode }: Delivery): boolean =>
    account === partition.account && mode === partition.mode && channel === partition.channel
