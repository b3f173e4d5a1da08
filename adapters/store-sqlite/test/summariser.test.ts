/**
 * Summaries on files: by processes that are killed, of files that an earlier version wrote, and by the store itself.
 */
import type { Condition } from "@watchword/pagination/Query"
import { type AccountId, type DeliveryId, nextDeliveryId } from "@watchword/schemas/Ids"
import { SqliteStore } from "@watchword/store-sqlite"
import type { Field } from "@watchword/store/Delivery"
import { pageOf } from "@watchword/store/Listing"
import { type Service, Store } from "@watchword/store/Store"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import * as Connection from "../src/Connection.ts"
import { AT, accountFor, atOnce, closing, opening, temporaryFile } from "./fixtures.ts"
import { small } from "./summarising.ts"
import * as Summariser from "../src/summaries/Summariser.ts"

const script = fileURLToPath(new URL("summarise.ts", import.meta.url))

const SECOND = 1_000

/** Opens records, a second apart, and closes most of them. */
const send = Effect.fnUntraced(function* (store: Service, account: AccountId, from: number, count: number) {
  return yield* atOnce(count, (index) =>
    Effect.gen(function* () {
      const number = from + index
      const at = AT + number * SECOND
      const id = nextDeliveryId(at)
      const details = { text: `text ${number % 700}` }
      const to = `+4915100000${String(number % 300).padStart(3, "0")}`
      yield* store.open({ ...opening(account, { id, to, from: number % 9 === 0 ? "Rare" : "Acme", details }), at })
      if (number % 5 > 0) yield* store.close(closing(id, { at }))
      return id
    })
  )
})

/** Receipts for records that may be sealed: they are listed behind all others then. */
const receive = (store: Service, ids: ReadonlyArray<DeliveryId>, at: number) =>
  atOnce(ids.length, (index) =>
    store.report({
      target: { _tag: "Delivery", id: ids[index] ?? nextDeliveryId(at) },
      status: { name: "delivered", rank: 2 },
      when: {},
      details: {},
      everyPart: false,
      refund: false,
      at: at + index
    })
  )

const conditions: ReadonlyArray<ReadonlyArray<Condition<Field>>> = [
  [],
  [{ _tag: "In", field: "status", values: ["delivered"] }],
  [{ _tag: "In", field: "to", values: ["+4915100000007"] }],
  [{ _tag: "In", field: "from", values: ["Rare"] }],
  [{ _tag: "In", field: "from", values: ["Acme"] }],
  [{ _tag: "In", field: "details.text", values: ["text 33", "text 699"] }],
  [{ _tag: "Range", field: "createdAt", gte: AT + 100 * SECOND, lt: AT + 900 * SECOND }],
  [{ _tag: "Range", field: "statusAt", gte: AT + 200 * SECOND }]
]

/** Compares lists with what a look at every record says. */
const expectRight = Effect.fnUntraced(function* (store: Service, account: AccountId) {
  const drawer = { account, mode: "live", channel: "sms" } as const
  const everything = { where: [], sort: { field: "id", direction: "ASC" }, offset: 0, limit: 1e9 } as const
  const { rows } = yield* store.list({ ...drawer, ...everything })
  for (const where of conditions) {
    for (const direction of ["ASC", "DESC"] as const) {
      for (const offset of [0, 37, 400]) {
        const asked = { where, sort: { field: "statusAt", direction }, offset, limit: 15 } as const
        const page = yield* store.list({ ...drawer, ...asked })
        expect([asked, page]).toEqual([asked, pageOf(rows, asked)])
      }
    }
  }
})

const settled = (db: Sqlite.Database): void => {
  const summariser = Summariser.make(db, small)
  for (const drawer of summariser.drawers()) while (summariser.step(drawer, Date.now()));
}

const blocksIn = (filename: string): number => {
  const db = new Sqlite(filename, { readonly: true })
  const count = db.prepare<[], number>("SELECT count(*) FROM blocks").pluck().get() ?? 0
  db.close()
  return count
}

describe("a process that is killed while it summarises", () => {
  it("leaves lists as they are, while another sends", async () => {
    const filename = temporaryFile()
    const program = Effect.gen(function* () {
      const db = yield* Connection.open(filename)
      const store = yield* SqliteStore.over(db, 512, { summaries: small })
      const account = yield* Effect.provideService(accountFor(10_000), Store, store)
      let ids: ReadonlyArray<DeliveryId> = []
      for (let round = 0; round < 5; round++) {
        ids = [...ids, ...(yield* send(store, account, ids.length, 150))]
        const child = spawn(process.execPath, [script, filename], { stdio: ["ignore", "pipe", "inherit"] })
        const closed = once(child, "close")
        const limit = 3 + Math.floor(Math.random() * 25)
        let steps = 0
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          steps += text.split("\n").length - 1
          if (steps >= limit) child.kill("SIGKILL")
        })
        yield* Effect.promise(() => once(child.stdout, "data"))
        for (let more = 0; more < 10; more++) {
          yield* receive(
            store,
            ids.filter((_, index) => index % 31 === (round * 3 + more) % 31),
            AT + 7_000 * SECOND
          )
          ids = [...ids, ...(yield* send(store, account, ids.length, 20))]
          yield* Effect.promise(() => delay(5))
        }
        child.kill("SIGKILL")
        yield* Effect.promise(() => closed)
        yield* expectRight(store, account)
      }
      expect(blocksIn(filename)).toBeGreaterThan(10)
      settled(db)
      yield* expectRight(store, account)
    })
    await Effect.runPromise(Effect.scoped(program))
  }, 120_000)
})

describe("a file that an earlier version wrote", () => {
  it("is summarised, and its lists stay as they are", async () => {
    const filename = temporaryFile()
    const sent = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(1_000)
      yield* send(store, account, 0, 600)
      return account
    })
    const account = await Effect.runPromise(Effect.provide(sent, SqliteStore.layer({ filename })))
    const earlier = new Sqlite(filename)
    for (const table of [
      "blocks",
      "block_counts",
      "summaries",
      "traces",
      "retired",
      "loose",
      "claims_log",
      "parts_log"
    ]) {
      earlier.exec(`DROP TABLE ${table}`)
    }
    earlier.pragma("user_version = 1")
    earlier.close()
    const program = Effect.gen(function* () {
      const db = yield* Connection.open(filename)
      const store = yield* SqliteStore.over(db, 512, { summaries: small })
      yield* expectRight(store, account)
      settled(db)
      expect(blocksIn(filename)).toBeGreaterThan(30)
      yield* expectRight(store, account)
      yield* send(store, account, 600, 50)
      yield* expectRight(store, account)
    })
    await Effect.runPromise(Effect.scoped(program))
  })

  it("has its traces made anew, which did not have all they should", async () => {
    const filename = temporaryFile()
    const opened = Effect.gen(function* () {
      const db = yield* Connection.open(filename)
      return { db, store: yield* SqliteStore.over(db, 512, { summaries: small }) }
    })
    const sent = Effect.gen(function* () {
      const { db, store } = yield* opened
      const account = yield* Effect.provideService(accountFor(1_000), Store, store)
      yield* send(store, account, 0, 600)
      settled(db)
      return account
    })
    const account = await Effect.runPromise(Effect.scoped(sent))
    const earlier = new Sqlite(filename)
    expect(earlier.prepare("UPDATE traces SET data = x''").run().changes).toBeGreaterThan(0)
    earlier.pragma("user_version = 3")
    earlier.close()
    const program = Effect.gen(function* () {
      const { db, store } = yield* opened
      yield* expectRight(store, account)
      settled(db)
      yield* expectRight(store, account)
      expect(db.prepare<[], number>("SELECT count(*) FROM traces WHERE data != x''").pluck().get()).toBeGreaterThan(0)
    })
    await Effect.runPromise(Effect.scoped(program))
  })
})

describe("the store", () => {
  it("summarises by itself what is settled, and seals what is sent after", async () => {
    const filename = temporaryFile()
    const program = Effect.gen(function* () {
      const store = yield* Store
      const account = yield* accountFor(20_000)
      const ids = yield* send(store, account, 0, 14_000)
      yield* Effect.promise(async () => {
        while (blocksIn(filename) < 5) await delay(20)
      })
      yield* receive(store, ids.slice(0, 40), AT + 20_000 * SECOND)
      yield* expectRight(store, account)
    })
    await Effect.runPromise(Effect.provide(program, SqliteStore.layer({ filename })))
  }, 120_000)
})
