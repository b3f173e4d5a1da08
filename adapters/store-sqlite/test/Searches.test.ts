import type { AccountId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import { SqliteStore } from "@watchword/store-sqlite"
import { type Listing, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { accountFor, atOnce, opening, temporaryFile } from "./fixtures.ts"

const MANY = 12_000

const listing = (account: AccountId, fields: Partial<Listing> = {}): Listing => ({
  account,
  mode: "live",
  channel: "sms",
  where: [],
  sort: { field: "price", direction: "DESC" },
  offset: 0,
  limit: 3,
  ...fields
})

const prices = (count: number) => MicroEuros.make(count)

/** Counts how often the event loop turns, until it is asked. */
const turnsOfTheLoop = (): (() => number) => {
  let turns = 0
  let next: NodeJS.Immediate
  const turn = () => {
    turns += 1
    next = setImmediate(turn)
  }
  turn()
  return () => {
    clearImmediate(next)
    return turns
  }
}

describe("a search through many records", () => {
  it("finds what is committed, while the event loop goes on", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(10_000)
      yield* atOnce(MANY, (index) => store.open(opening(account, { price: prices(index % 1_000) })))
      const turns = turnsOfTheLoop()
      const first = yield* store.list(listing(account))
      // A search in this thread would have been answered in one turn.
      expect(turns()).toBeGreaterThan(10)
      expect(first.total).toBe(MANY)
      expect(first.rows.map(({ price }) => price)).toEqual([999, 999, 999])
      expect(first.rows.map(({ id }) => id)).toEqual(
        first.rows
          .map(({ id }) => id)
          .toSorted()
          .toReversed()
      )

      yield* store.open(opening(account, { price: prices(5_000), to: "+447700900123" }))
      const pages = yield* atOnce(5, (index) => store.list(listing(account, { offset: index, limit: 1 })))
      expect(pages.map(({ rows, total }) => [total, rows[0]?.price])).toEqual([
        [MANY + 1, 5_000],
        [MANY + 1, 999],
        [MANY + 1, 999],
        [MANY + 1, 999],
        [MANY + 1, 999]
      ])
      const where = [{ _tag: "In", field: "to", values: ["+447700900123"] }] as const
      const one = yield* store.list(listing(account, { where, sort: { field: "statusAt", direction: "DESC" } }))
      expect([one.total, one.rows[0]?.to]).toEqual([1, "+447700900123"])
    })
    await Effect.runPromise(Effect.provide(program, SqliteStore.layer({ filename: temporaryFile() })))
  })

  it("is made in this thread when the records are in memory only", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(10_000)
      yield* atOnce(MANY, (index) => store.open(opening(account, { price: prices(index % 1_000) })))
      const page = yield* store.list(listing(account))
      expect([page.total, page.rows[0]?.price]).toEqual([MANY, 999])
    })
    await Effect.runPromise(Effect.provide(program, SqliteStore.layer({ filename: ":memory:" })))
  })
})
