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
import { type Close, type Open, type Report, Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { Client } from "pg"
import { expect } from "vitest"

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

/** How a send ends that is closed when it is opened. */
export const ending = (outcome: Close["outcome"], ref: string): NonNullable<Open["close"]> => ({
  outcome,
  status: { name: "sent", rank: 1 },
  refs: [ref],
  details: {}
})

export const receipt = (ref: string, fields: Partial<Report> = {}): Report => ({
  target: { _tag: "Part", channel: "sms", refs: [ref], message: { to: null, reference: null } },
  status: { name: "delivered", rank: 2 },
  when: {},
  details: {},
  everyPart: true,
  refund: false,
  at: AT,
  ...fields
})

export const find = (account: AccountId, id: DeliveryId) =>
  Effect.flatMap(Store, (store) => store.find({ account, mode: "live", channel: "sms", id }))

/** The account's balance now. */
export const balanceOf = (id: AccountId) =>
  Effect.flatMap(Store, (store) => Effect.map(store.account(id), (row) => Option.getOrThrow(row).balance))

export const atOnce = <A, E, R>(
  count: number,
  effect: (index: number) => Effect.Effect<A, E, R>
): Effect.Effect<Array<A>, E, R> =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    effect,
    { concurrency: "unbounded" }
  )

export const tally = (tags: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const tag of tags) counts[tag] = (counts[tag] ?? 0) + 1
  return counts
}

/** Asks the server itself. */
export const sql = async <Row extends object>(
  url: string,
  text: string,
  values: ReadonlyArray<unknown> = []
): Promise<ReadonlyArray<Row>> => {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Checks that all of a schema is whole: its ledgers, what is held, and what is counted. */
export const expectSound = Effect.fnUntraced(function* (url: string, schema: string) {
  const store = yield* Store
  for (const { account, balance } of yield* store.accounts) {
    const places: { [place in Place]: number } = { funding: 0, available: 0, held: 0, revenue: 0 }
    const ledger = yield* store.entries({ account: account.id, after: null, limit: 1_000_000 })
    const movements = ledger.map(({ delivery, kind }) => `${delivery} ${kind}`)
    expect(new Set(ledger.map(({ id }) => id)).size).toBe(ledger.length)
    expect(new Set(movements.filter((each) => !each.startsWith("null"))).size).toBe(
      movements.filter((each) => !each.startsWith("null")).length
    )
    for (const { amount, from, to } of ledger) {
      places[from] -= amount
      places[to] += amount
      expect(Math.min(places.available, places.held)).toBeGreaterThanOrEqual(0)
    }
    expect(places.funding + places.available + places.held + places.revenue).toBe(0)
    expect([balance.available, balance.held]).toEqual([places.available, places.held])
    const all = { account: account.id, mode: "live", channel: "sms", where: [], offset: 0, limit: 1_000_000 } as const
    const page = yield* store.list({ ...all, sort: { field: "id", direction: "ASC" } })
    expect(page.rows.length).toBe(page.total)
    const held = page.rows.filter(({ phase }) => phase === "pending" || phase === "unknown")
    expect(balance.held).toBe(held.reduce((sum, { price }) => sum + price, 0))
  }
  const counted = yield* Effect.promise(() =>
    sql(
      url,
      `SELECT account, mode, channel, width, bucket, status, n FROM "${schema}".counts ORDER BY 1, 2, 3, 4, 5, 6`
    )
  )
  const there = yield* Effect.promise(() =>
    sql(
      url,
      `SELECT account, mode, channel, width, (listed_at / width)::integer AS bucket, status, count(*) AS n
       FROM "${schema}".deliveries, (VALUES (28800000), (240000)) w(width)
       GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6`
    )
  )
  expect(counted).toEqual(there)
})

export type Program = ChildProcessByStdio<null, Readable, null>

/** Starts one of the programs beside this file. */
export const program = (file: string, ...args: ReadonlyArray<string>): Program =>
  spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], {
    stdio: ["ignore", "pipe", "inherit"]
  })

/** The lines that a program wrote until it ended; `onLine` hears how many there are. */
export const linesOf = async (
  child: Program,
  onLine: (count: number) => void = () => {}
): Promise<ReadonlyArray<string>> => {
  let text = ""
  let count = 0
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
    count += chunk.split("\n").length - 1
    onLine(count)
  })
  const [code, signal] = await once(child, "close")
  expect(signal ?? code).toBe(child.killed ? "SIGKILL" : 0)
  // What comes behind the last line break was cut off.
  return text.split("\n").slice(0, -1)
}
