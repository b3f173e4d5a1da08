/**
 * What steps have read and written lately. A send's close and its receipt follow its open within moments, and find here
 * what they would otherwise look up and decode again; after that it is forgotten.
 *
 * It holds only what this connection knows to be so: all of it must be forgotten when another connection has written, and
 * when a transaction is rolled back.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import { Register } from "@watchword/store/Register"
import { TextMap } from "@watchword/store/TextMap"
import type { Delivery } from "@watchword/store/Delivery"
import type { Deliveries, Stored } from "./Deliveries.ts"
import type { Part, Parts } from "./Parts.ts"

/** The most deliveries that are remembered: some MB, and more than a second of sends under full load. */
const MOST = 16_384

interface Known {
  stored: Stored
  /** Whether it is certain that no part of it has been called anything yet. */
  isNameless: boolean
  /** What its parts are called. */
  refs: ReadonlyArray<string>
}

export type Recent = ReturnType<typeof make>

/** Deliveries and parts for the steps of transactions. */
export const make = (deliveries: Deliveries, parts: Parts) => {
  const known = new Register<Known>()
  const numbers = new TextMap<number>()
  const refs = new Map<Product, TextMap<number>>()

  const forget = (): void => {
    known.clear()
    numbers.clear()
    refs.clear()
  }

  /** Forgets a delivery of which little more is expected. */
  const dismiss = (n: number): void => {
    const there = known.get(n)
    if (there === undefined) return
    const { channel, id } = there.stored.delivery
    numbers.delete(id)
    for (const ref of there.refs) refsOf(channel).delete(ref)
    known.delete(n)
  }

  const refsOf = (channel: Product): TextMap<number> => {
    const there = refs.get(channel)
    if (there !== undefined) return there
    const fresh = new TextMap<number>()
    refs.set(channel, fresh)
    return fresh
  }

  const dismissOldest = (): void => {
    if (known.oldest !== undefined) dismiss(known.oldest.stored.n)
  }

  const keep = (stored: Stored, isNameless = false): Stored => {
    const there = known.get(stored.n)
    if (there !== undefined) {
      there.stored = stored
      return stored
    }
    if (known.size >= MOST) dismissOldest()
    known.add(stored.n, { stored, isNameless, refs: nothing })
    numbers.set(stored.delivery.id, stored.n)
    return stored
  }

  const keepIf = (stored: Stored | undefined): Stored | undefined => stored && keep(stored)

  const byNumber = (n: number): Stored | undefined => known.get(n)?.stored ?? keepIf(deliveries.byNumber(n))

  const byId = (id: DeliveryId): Stored | undefined => {
    const n = numbers.get(id)
    return n === undefined ? keepIf(deliveries.byId(id)) : byNumber(n)
  }

  const insert = (drawer: number, delivery: Delivery, owner: ProcessId): Stored | undefined => {
    const n = deliveries.insert(drawer, delivery, owner)
    return n === undefined ? undefined : keep({ n, drawer, delivery }, true)
  }

  const update = (before: Stored, delivery: Delivery): Stored => {
    deliveries.update(before, delivery)
    return keep({ n: before.n, drawer: before.drawer, delivery })
  }

  const remove = ({ n }: Stored): void => {
    deliveries.remove(n)
    dismiss(n)
  }

  const find = (channel: Product, ref: string): Part | undefined => {
    const delivery = refsOf(channel).get(ref)
    return delivery === undefined ? parts.find(channel, ref) : { delivery, name: ref }
  }

  const add = (channel: Product, delivery: number, names: ReadonlyArray<string>): void => {
    const there = known.get(delivery)
    const put = there?.isNameless === true ? parts.addNew : parts.add
    const deliveryOf = refsOf(channel)
    for (const ref of names) {
      const isNew = put(channel, delivery, ref)
      // Another delivery may have had the name until now.
      const before = deliveryOf.get(ref)
      if (before !== undefined && before !== delivery) deliveryOf.delete(ref)
      if (isNew && there !== undefined) deliveryOf.set(ref, delivery)
    }
    if (there === undefined) return
    there.isNameless = false
    there.refs = there.refs.length === 0 ? names : [...new Set([...there.refs, ...names])]
  }

  const addOne = (channel: Product, delivery: number, spellings: ReadonlyArray<string>): Part => {
    const there = known.get(delivery)
    if (there !== undefined) there.isNameless = false
    for (const ref of spellings) refsOf(channel).delete(ref)
    return parts.addOne(channel, delivery, spellings)
  }

  const { onlyOpen } = deliveries
  const { complete } = parts
  return { forget, dismiss, byId, byNumber, onlyOpen, insert, update, remove, find, add, addOne, complete }
}

const nothing: ReadonlyArray<string> = []
