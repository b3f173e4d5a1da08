/**
 * An account's messages and money in a database, for tests.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import type { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import type { EntryKind } from "@watchword/store/Account"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { expect } from "vitest"
import type { Submit } from "@watchword/sandbox/smsc"

export interface Books {
  readonly records: ReadonlyArray<Delivery>
  readonly entries: ReadonlyMap<DeliveryId, ReadonlyArray<EntryKind>>
  readonly balance: { readonly available: number; readonly held: number }
}

/** Everything the database says about the account's live messages, read over a connection of its own. */
export const books = (
  database: Layer.Layer<Store, StoreError, ChannelRegistry.ChannelRegistry>,
  account: AccountId
): Promise<Books> =>
  Effect.gen(function* () {
    const store = yield* Store
    const records: Array<Delivery> = []
    for (;;) {
      const { rows, total } = yield* store.list({
        account,
        mode: "live",
        channel: "sms",
        where: [],
        sort: { field: "id", direction: "ASC" },
        offset: records.length,
        limit: 100
      })
      records.push(...rows)
      if (rows.length === 0) {
        expect(records).toHaveLength(total)
        break
      }
    }
    const entries = new Map<DeliveryId, Array<EntryKind>>()
    const all = yield* store.entries({ account, after: null, limit: 1_000_000 })
    let available = 0
    let held = 0
    for (const { amount, delivery, from, kind, to } of all) {
      available += (to === "available" ? amount : 0) - (from === "available" ? amount : 0)
      held += (to === "held" ? amount : 0) - (from === "held" ? amount : 0)
      if (delivery !== null) entries.set(delivery, [...(entries.get(delivery) ?? []), kind])
    }
    const { balance } = Option.getOrThrow(yield* store.account(account))
    expect({ available: balance.available, held: balance.held }).toEqual({ available, held })
    return { records, entries, balance }
  }).pipe(Effect.provide(Layer.provide(database, ChannelRegistry.layerBuiltIn)), Effect.runPromise)

/**
 * Checks the books when everything has come to rest: each text that reached the carrier did so once, and has one record
 * and one charge; other sends cost nothing; every acknowledged text was sent.
 *
 * @param spent the balance at the beginning minus the balance now
 */
export const expectSettled = (
  { balance, entries, records }: Books,
  submits: ReadonlyArray<Submit>,
  acknowledged: ReadonlyArray<string>,
  { price, spent }: { readonly price: number; readonly spent: number }
): void => {
  const submitted = new Map<string, number>()
  for (const { text } of submits) submitted.set(text, (submitted.get(text) ?? 0) + 1)

  for (const [text, times] of submitted) expect([text, times]).toEqual([text, 1])
  const recorded = new Map(records.map((record) => [String(record.details["text"]), record]))
  expect(recorded.size).toBe(records.length)
  for (const text of submitted.keys()) {
    const record = recorded.get(text)
    expect([text, record?.phase, record?.status.name]).toEqual([text, "accepted", "delivered"])
  }
  for (const text of acknowledged) expect(submitted.has(text)).toBe(true)
  for (const record of records) {
    const money = entries.get(record.id)
    if (record.phase === "accepted") expect(money).toEqual(["hold", "settle"])
    else expect([record.phase, money]).toEqual(["rejected", ["hold", "release"]])
    expect(submitted.has(String(record.details["text"]))).toBe(record.phase === "accepted")
  }
  expect(balance.held).toBe(0)
  expect(spent).toBe(price * submitted.size)
}
