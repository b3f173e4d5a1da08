/**
 * What steps have read and written lately. A send's close and its receipts follow its open within moments, and find
 * here what they would otherwise look up and decode again.
 *
 * It holds only what this connection knows to be so: all of it is forgotten when another connection has written, and
 * when a transaction is rolled back.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import type { Delivery } from "@watchword/store/Delivery"
import type { Database } from "better-sqlite3"
import type { Deliveries, Stored } from "./Deliveries.ts"
import type { Part, Parts } from "./Parts.ts"

/** The most that is remembered of each kind. */
const MOST = 1_024

export type Recent = ReturnType<typeof make>

/** Deliveries and parts for the steps of transactions. */
export const make = (db: Database, deliveries: Deliveries, parts: Parts) => {
  const dataVersion = db.prepare<[], number>("PRAGMA data_version").pluck()
  const byIds = remember<DeliveryId, Slot>()
  const byNumbers = remember<number, Slot>()
  const byRefs = remember<string, Part>()
  let version: number | undefined

  const forget = (): void => {
    byIds.clear()
    byNumbers.clear()
    byRefs.clear()
  }

  /** To be called at the beginning of each transaction. */
  const begin = (): void => {
    const now = dataVersion.get()
    if (now !== version) forget()
    version = now
  }

  const keep = (stored: Stored): Stored => {
    const slot = { stored }
    byIds.set(stored.delivery.id, slot)
    byNumbers.set(stored.n, slot)
    return stored
  }

  const keepIf = (stored: Stored | undefined): Stored | undefined => stored && keep(stored)

  const byId = (id: DeliveryId): Stored | undefined => byIds.get(id)?.stored ?? keepIf(deliveries.byId(id))

  const byNumber = (n: number): Stored | undefined => byNumbers.get(n)?.stored ?? keepIf(deliveries.byNumber(n))

  const insert = (drawer: number, delivery: Delivery, owner: ProcessId): Stored | undefined => {
    const n = deliveries.insert(drawer, delivery, owner)
    return n === undefined ? undefined : keep({ n, drawer, delivery })
  }

  const update = (before: Stored, delivery: Delivery): Stored => {
    deliveries.update(before, delivery)
    const after = { n: before.n, drawer: before.drawer, delivery }
    const slot = byNumbers.get(before.n)
    if (slot === undefined) return keep(after)
    slot.stored = after
    return after
  }

  const remove = ({ delivery, n }: Stored): void => {
    deliveries.remove(n)
    byIds.delete(delivery.id)
    byNumbers.delete(n)
  }

  const find = (channel: Product, ref: string): Part | undefined =>
    byRefs.get(`${channel} ${ref}`) ?? parts.find(channel, ref)

  const add = (channel: Product, delivery: number, refs: ReadonlyArray<string>): void => {
    for (const ref of refs) {
      if (parts.add(channel, delivery, ref)) byRefs.set(`${channel} ${ref}`, { delivery, name: ref })
    }
  }

  const addOne = (channel: Product, delivery: number, spellings: ReadonlyArray<string>): Part => {
    for (const ref of spellings) byRefs.delete(`${channel} ${ref}`)
    return parts.addOne(channel, delivery, spellings)
  }

  const { onlyOpen } = deliveries
  const { complete } = parts
  return { begin, forget, byId, byNumber, onlyOpen, insert, update, remove, find, add, addOne, complete }
}

/** One for both maps, so that a change is written once. */
interface Slot {
  stored: Stored
}

/** A map that forgets the older half of what it holds when it is full. */
const remember = <K, V extends object>() => {
  let young = new Map<K, V>()
  let old = new Map<K, V>()
  const remove = (key: K): void => {
    young.delete(key)
    old.delete(key)
  }
  return {
    get: (key: K): V | undefined => young.get(key) ?? old.get(key),
    set: (key: K, value: V): void => {
      young.set(key, value)
      if (young.size < MOST / 2) return
      old = young
      young = new Map()
    },
    delete: remove,
    clear: (): void => {
      young = new Map()
      old = new Map()
    }
  }
}
