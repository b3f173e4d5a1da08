/**
 * Bounds: on the time of lists, and on what waits.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { nextProcessId } from "@watchword/schemas/Ids"
import { WIDTH, bucketOf } from "@watchword/store/sql"
import type { PostgresStore } from "@watchword/store-postgres"
import { type Listing, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import * as Authenticator from "../../../packages/auth/src/Authenticator.ts"
import { makeApiKey } from "../../../packages/auth/src/Keys.ts"
import { type PostgresServer, start } from "../../../test/PostgresServer.ts"
import { AT, accountFor, atOnce, opening, sql } from "./fixtures.ts"
import * as BuiltIn from "./builtIn.ts"

let server: PostgresServer

beforeAll(async () => {
  server = await start()
})

afterAll(() => server.stop())

const runOn = <A, E>(options: Omit<PostgresStore.Options, "url">, program: Effect.Effect<A, E, Store>) =>
  program.pipe(Effect.provide(BuiltIn.layer({ url: server.url, ...options })), Effect.runPromise)

/** A list that looks through the records of its window. */
const search = (account: Listing["account"]): Listing => ({
  account,
  mode: "live",
  channel: "sms",
  where: [{ _tag: "In", field: "details.colour", values: ["red"] }],
  sort: { field: "statusAt", direction: "DESC" },
  offset: 0,
  limit: 10
})

/** Counts many records in a schema, so that lists through its window are slow. */
const pretendMany = (schema: string) =>
  Effect.promise(() =>
    sql(
      server.url,
      `INSERT INTO ${schema}.counts SELECT n, 0, $1, ${WIDTH}, ${bucketOf(AT)}, 'many', 1000000 FROM ${schema}.accounts`,
      [SMS]
    )
  )

const SMS = ChannelRegistry.make(ChannelRegistry.builtIn).codeOf("sms")

/** Keeps a table locked, so that every statement on it waits. */
const locking = (table: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client(server.url)
      await client.connect()
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

/** How many statements with a text the server has under way. */
const underWay = async (text: string): Promise<number> => {
  const [row] = await sql<{ n: number }>(
    server.url,
    `SELECT count(*)::integer AS n FROM pg_stat_activity
     WHERE application_name = 'watchword' AND state = 'active' AND query LIKE '%' || $1 || '%'`,
    [text]
  )
  return row?.n ?? 0
}

const untilSearching = (count: number) =>
  Effect.promise(() => vi.waitUntil(async () => (await underWay("WITH met")) === count, { timeout: 30_000 }))

describe("a list that takes long", () => {
  it("is cancelled on the server when its asker leaves", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      yield* pretendMany("gone")
      yield* locking("gone.deliveries")
      const fiber = yield* Effect.forkChild(store.list(search(account)), { startImmediately: true })
      yield* untilSearching(1)
      yield* Fiber.interrupt(fiber)
      yield* untilSearching(0)
      expect(fiber.pollUnsafe()).toMatchObject({ _tag: "Failure" })
    })
    await runOn({ schema: "gone", listTimeLimit: 60_000 }, Effect.scoped(program))
  })

  it("fails past its time limit, and is cancelled on the server", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      yield* pretendMany("late")
      yield* locking("late.deliveries")
      const error = yield* Effect.flip(store.list(search(account)))
      expect([error.reason, error.message]).toEqual(["TimeLimit", "A list took longer than 50 ms."])
      yield* untilSearching(0)
    })
    await runOn({ schema: "late", listTimeLimit: 50 }, Effect.scoped(program))
  })

  it("lets others look up accounts and send, and only so many lists wait behind it", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      yield* store.open(opening(account))
      yield* pretendMany("busy")
      const lists = yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* locking("busy.deliveries")
          const one = yield* Effect.forkChild(store.list(search(account)), { startImmediately: true })
          yield* untilSearching(1)
          const refused = yield* Latch.make()
          const others = yield* Effect.forkChild(
            atOnce(3, () => Effect.exit(Effect.tapError(store.list(search(account)), () => refused.open))),
            { startImmediately: true }
          )
          yield* refused.await
          expect((yield* store.accounts).length).toBe(1)
          yield* Effect.promise(() => client.query("COMMIT"))
          return [yield* Effect.exit(Fiber.join(one)), ...(yield* Fiber.join(others))]
        })
      )
      expect(lists.filter(Exit.isSuccess).length).toBe(3)
      expect(JSON.stringify(lists.find(Exit.isFailure))).toContain("2 queries wait for a connection already")
    })
    await runOn({ schema: "busy", connections: 3, waitingLists: 2, waitingListsOfAccount: 4 }, program)
  })

  it("of one account leaves the places of others free", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const [busy, other] = [yield* accountFor(1), yield* accountFor(1)]
      yield* pretendMany("shared")
      const lists = yield* Effect.scoped(
        Effect.gen(function* () {
          yield* locking("shared.deliveries")
          const start = (account: Listing["account"]) =>
            Effect.forkDetach(store.list(search(account)), { startImmediately: true })
          const [gone, second] = [yield* start(busy), yield* start(busy)]
          yield* untilSearching(2)
          expect((yield* Effect.flip(store.list(search(busy)))).reason).toBe("TooManyLists")
          yield* Fiber.interrupt(gone)
          yield* untilSearching(1)
          const lists = [second, yield* start(busy), yield* start(other)]
          yield* untilSearching(3)
          return lists
        })
      )
      for (const list of lists) expect((yield* Fiber.join(list)).total).toBe(0)
      expect((yield* store.list(search(busy))).total).toBe(0)
    })
    await runOn({ schema: "shared" }, program)
  })

  it("is not repeated when its connection is lost", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1)
      yield* locking("lost.deliveries")
      // Without many records the list is quick, but for the lock.
      const list = yield* Effect.forkChild(Effect.flip(store.list(search(account))), { startImmediately: true })
      yield* untilSearching(1)
      yield* Effect.promise(() =>
        sql(server.url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'WITH met%'")
      )
      expect((yield* Fiber.join(list)).reason).toBe("Unknown")
      yield* untilSearching(0)
    })
    await runOn({ schema: "lost" }, Effect.scoped(program))
  })
})

describe("a flood of unknown keys", () => {
  it("leaves a connection to all other queries, however many clients ask and leave", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const authenticator = yield* Authenticator.make
      const ask = Effect.gen(function* () {
        const { secret } = yield* makeApiKey("live")
        const apiKey = Redacted.value(secret)
        const credentials = { apiKey, accountId: null, remoteAddress: null, accountRequired: false }
        return yield* Effect.flip(authenticator.authenticate(credentials))
      })
      const clients = yield* Effect.scoped(
        Effect.gen(function* () {
          yield* locking("keys.accounts")
          const gone = yield* Effect.forkDetach(
            atOnce(1_000, () => ask),
            { startImmediately: true }
          )
          yield* Effect.promise(() => vi.waitUntil(async () => (await underWay("k.hash")) === 4, { timeout: 30_000 }))
          yield* Effect.forkDetach(Fiber.interrupt(gone), { startImmediately: true })
          const there = yield* Effect.forkDetach(
            atOnce(1_000, () => ask),
            { startImmediately: true }
          )
          yield* store.renewLease({ process: nextProcessId(0), duration: 1_000 })
          return there
        })
      )
      const refusals = yield* Fiber.join(clients)
      expect(new Set(refusals.map(({ _tag }) => _tag))).toEqual(new Set(["UNAUTHORIZED"]))
    })
    await runOn({ schema: "keys" }, program)
  })
})

describe("steps", () => {
  it("fail at once when too many wait", async () => {
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(10)
      const exits = yield* atOnce(10, () => Effect.exit(store.open(opening(account))))
      expect(exits.map(Exit.isSuccess)).toEqual([...Array(6).fill(true), ...Array(4).fill(false)])
      expect(JSON.stringify(exits[9])).toContain("The database is too slow: 6 steps wait for it already.")
    })
    await runOn({ schema: "full", waiting: 6 }, program)
  })
})
