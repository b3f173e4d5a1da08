import type { Account } from "@watchword/schemas/Account"
import {
  type AccountId,
  type DeliveryId,
  nextAccountId,
  nextDeliveryId,
  nextEntryId,
  nextProcessId
} from "@watchword/schemas/Ids"
import { MicroEuros } from "@watchword/schemas/Money"
import type { Place } from "@watchword/store/Account"
import { type Close, type Open, Store } from "@watchword/store/Store"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished } from "vitest"
import { WIDTH } from "@watchword/store-sql/Buckets"
import { TABLES } from "../src/Counts.ts"

/** The name of a file that is gone when the test is over. */
export const temporaryFile = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "store-sqlite-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, "watchword.db")
}

export const AT = Date.UTC(2026, 0, 15)
export const PRICE = MicroEuros.make(50_000)

export const someAccount = (fields: Partial<Account> = {}): Account => ({
  id: nextAccountId(AT),
  name: "somebody",
  caller: null,
  smsSender: null,
  senderUsername: null,
  minRing: 5,
  maxRing: 15,
  storeText: false,
  createdAt: AT,
  ...fields
})

/** An account with money for so many sends. */
export const accountFor = Effect.fnUntraced(function* (sends: number) {
  const store = yield* Store
  const account = someAccount()
  yield* store.createAccount(account)
  const amount = MicroEuros.make(sends * PRICE)
  yield* store.credit({ id: nextEntryId(AT), account: account.id, amount, at: AT })
  return account.id
})

export const opening = (account: AccountId, fields: Partial<Open["delivery"]> = {}): Open => ({
  delivery: {
    id: nextDeliveryId(AT),
    account,
    mode: "live",
    channel: "sms",
    to: "+4915123456789",
    from: null,
    status: { name: "sent", rank: 0 },
    price: PRICE,
    parts: 1,
    reference: null,
    details: {},
    ...fields
  },
  claims: [],
  owner: nextProcessId(0),
  at: AT
})

export const closing = (id: DeliveryId, fields: Partial<Close> = {}): Close => ({
  id,
  outcome: "accepted",
  status: { name: "sent", rank: 1 },
  refs: [],
  details: {},
  at: AT,
  ...fields
})

export const find = (account: AccountId, id: DeliveryId) =>
  Effect.flatMap(Store, (store) => store.find({ account, mode: "live", channel: "sms", id }))

export const atOnce = <A, E, R>(
  count: number,
  effect: (index: number) => Effect.Effect<A, E, R>
): Effect.Effect<Array<A>, E, R> =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    effect,
    { concurrency: "unbounded" }
  )

/** Checks that a file is whole: its pages, its ledgers, what is held, and what is counted. */
export const expectSound = Effect.fnUntraced(function* (filename: string) {
  const store = yield* Store
  for (const { account, balance } of yield* store.accounts) {
    const places: { [place in Place]: number } = { funding: 0, available: 0, held: 0, revenue: 0 }
    for (const { amount, from, to } of yield* store.entries({ account: account.id, after: null, limit: 1e9 })) {
      places[from] -= amount
      places[to] += amount
      expect(Math.min(places.available, places.held)).toBeGreaterThanOrEqual(0)
    }
    expect([balance.available, balance.held]).toEqual([places.available, places.held])
    const all = { account: account.id, mode: "live", channel: "sms", where: [], offset: 0, limit: 1e9 } as const
    const page = yield* store.list({ ...all, sort: { field: "id", direction: "ASC" } })
    expect(page.rows.length).toBe(page.total)
    const held = page.rows.filter(({ phase }) => phase === "pending" || phase === "unknown")
    expect(balance.held).toBe(held.reduce((sum, { price }) => sum + price, 0))
  }
  const db = new Sqlite(filename, { readonly: true })
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok")
  for (const { name, width } of TABLES) {
    const counted = db.prepare(`SELECT partition, bucket, status, n FROM ${name} ORDER BY 1, 2, 3`)
    const there = db.prepare(
      `SELECT partition, listed_at / ${width} AS bucket, status, count(*) AS n FROM deliveries
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
    )
    expect(counted.all()).toEqual(there.all())
  }
  expect(db.prepare(`SELECT count(*) FROM deliveries WHERE bucket != listed_at / ${WIDTH}`).pluck().get()).toBe(0)
  db.close()
})

/** The account's balance now. */
export const balanceOf = (id: AccountId) =>
  Effect.flatMap(Store, (store) => Effect.map(store.account(id), (row) => Option.getOrThrow(row).balance))
