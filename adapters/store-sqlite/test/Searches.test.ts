import type { AccountId } from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import type { SqliteStore } from "@watchword/store-sqlite"
import { type Listing, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { copyFile } from "node:fs/promises"
import { beforeAll, describe, expect, it } from "vitest"
import { folderForAll } from "../../../test/folder.ts"
import { AT, accountFor, opening, temporaryFile } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

/** More than a slice of a search has, within an hour. */
const MANY = 21_000

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

/** An account with many records, a tenth of a second apart. */
const accountOfMany = Effect.gen(function* () {
  const store = yield* Store
  const account = yield* accountFor(10_000)
  yield* Effect.forEach(
    Array.from({ length: MANY }, (_, index) => index),
    (index) => store.open({ ...opening(account, { price: prices(index % 1_000) }), at: AT + index * 100 }),
    { concurrency: 1_000, discard: true }
  )
  return account
})

/** A database with two such accounts, of which tests take copies. */
const folder = folderForAll()
let accounts: readonly [AccountId, AccountId]

beforeAll(async () => {
  const filled = BuiltIn.layer({ filename: folder.file("filled.db") })
  accounts = await Effect.runPromise(Effect.provide(Effect.all([accountOfMany, accountOfMany]), filled))
})

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

const run = async <A, E>(program: Effect.Effect<A, E, Store>, options: Partial<SqliteStore.Options> = {}) => {
  const filename = temporaryFile()
  await copyFile(folder.file("filled.db"), filename)
  return Effect.runPromise(Effect.provide(program, BuiltIn.layer({ filename, ...options })))
}

describe("a search through many records", () => {
  it("finds what is committed, while the event loop goes on", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const [account] = accounts
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
      const pages = yield* Effect.forEach([0, 1, 2, 3, 4], (offset) =>
        store.list(listing(account, { offset, limit: 1 }))
      )
      expect(pages.map(({ rows, total }) => [total, rows[0]?.price])).toEqual([
        [MANY + 1, 5_000],
        [MANY + 1, 999],
        [MANY + 1, 999],
        [MANY + 1, 999],
        [MANY + 1, 999]
      ])
      const many = [{ _tag: "In", field: "to", values: ["+4915123456789"] }] as const
      const newest = yield* store.list(
        listing(account, { where: many, sort: { field: "statusAt", direction: "DESC" }, limit: 1 })
      )
      expect([newest.total, newest.rows[0]?.statusAt]).toEqual([MANY, AT + (MANY - 1) * 100])
    })
    await run(program)
  })

  it("is made in this thread when the records are in memory only", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const page = yield* store.list(listing(yield* accountOfMany))
      expect([page.total, page.rows[0]?.price]).toEqual([MANY, 999])
    })
    await run(program, { filename: ":memory:" })
  })

  it("fails with a reason of its own when it takes longer than the limit, which lists with an index keep", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const [account] = accounts
      expect(yield* Effect.flip(store.list(listing(account)))).toMatchObject({
        reason: "TimeLimit",
        message: "A list took longer than 1 ms."
      })
      const page = yield* store.list(listing(account, { sort: { field: "statusAt", direction: "DESC" } }))
      expect(page.total).toBe(MANY)
    })
    await run(program, { listTimeLimit: 1 })
  })

  it("waits with few others, and leaves its place when it is interrupted", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const [account] = accounts
      const search = store.list(listing(account))
      const left = yield* Effect.forkChild(search, { startImmediately: true })
      const waits = yield* Effect.forkChild(search, { startImmediately: true })
      const refused = yield* Effect.flip(search)
      expect([refused.reason, refused.message]).toEqual(["Unavailable", "Too many lists wait to be looked for."])
      yield* Fiber.interrupt(left)
      expect((yield* Fiber.join(waits)).total).toBe(MANY)
      yield* Fiber.interrupt(yield* Effect.forkChild(search, { startImmediately: true }))
      const page = yield* Effect.retry(search, { schedule: Schedule.spaced(5), times: 10_000 })
      expect(page.total).toBe(MANY)
    })
    await run(program, { waitingLists: 2, waitingListsOfAccount: 3 })
  })

  it("of one account leaves the places of others free", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const [busy, other] = accounts
      const search = store.list(listing(busy))
      const first = yield* Effect.forkChild(search, { startImmediately: true })
      const second = yield* Effect.forkChild(search, { startImmediately: true })
      expect((yield* Effect.flip(search)).reason).toBe("TooManyLists")
      expect((yield* store.list(listing(other))).total).toBe(MANY)
      for (const fiber of [first, second]) expect((yield* Fiber.join(fiber)).total).toBe(MANY)
      expect((yield* search).total).toBe(MANY)
    })
    await run(program)
  })
})
