/**
 * Lists on SQLite: every order and every filter that the interface knows, each beside itself at 10,000 records.
 *
 * One account has all records, live, spread evenly over some days: its first page, the one in the middle and the last
 * one, in the default order both ways, filtered by each field, and with `--sorts` sorted by each field. A page has 20
 * records and the exact total; of an hour it has 10, because an hour of 10,000 records has 14, and pages that are
 * compared have to be alike. What is measured is the store's `list`, from the question to the decoded rows.
 *
 * `npm run bench -- lists [--rows=1e6] [--days=30] [--sorts] [--file=records.db] [--json[=file]]`; ten million with
 * `--rows=1e7`. With `--file` the records are kept, and used the next time.
 */
import { type ListFields, toQuery } from "@watchword/pagination/ListFields"
import { ListBody } from "@watchword/pagination/ListBody"
import * as CallRecord from "@watchword/call/CallRecord"
import { type AccountId, DeliveryId, nextAccountId } from "@watchword/schemas/Ids"
import * as MessageId from "@watchword/schemas/MessageId"
import * as SmsRecord from "@watchword/sms/SmsRecord"
import type { Field } from "@watchword/store/Delivery"
import { type Page, type Service, Store } from "@watchword/store/Store"
import { sqlite } from "@watchword/store-sqlite"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { workFolder } from "./support/processes.ts"
import { type Channel, writeRecords } from "./support/records.ts"
import { figure, flag, machineLine, median, numberOption, say, table, textOption, writeJson } from "./support/report.ts"

const SMALL = 10_000
const LIMIT = 1.5
/** A page is asked for so many times, and further until that took so many milliseconds. */
const LEAST_RUNS = 15
const ENOUGH = 100
/** In milliseconds: a question that takes longer is asked once. */
const PATIENCE = 200
const PER_PAGE = 20

const rows = numberOption("rows", 1e6)
const days = numberOption("days", 30)

const channels: ReadonlyArray<{ readonly channel: Channel; readonly fields: ListFields<Field> }> = [
  { channel: "sms", fields: SmsRecord.format.fields },
  { channel: "call", fields: CallRecord.format.fields }
]

/** A file with records, and its store. */
interface Records {
  readonly account: AccountId
  readonly store: Service
  /** A record in the middle. */
  readonly sample: (channel: Channel) => Readonly<Record<string, string | number>>
  readonly close: () => Promise<void>
}

const openRecords = async (file: string, count: number): Promise<Records> => {
  const isNew = !existsSync(file)
  const runtime = ManagedRuntime.make(sqlite(file))
  const store = await runtime.runPromise(Store)
  if (isNew) {
    await runtime.runPromise(store.createAccount(account(nextAccountId(Date.now()))))
    const start = performance.now()
    for (const { channel } of channels) writeRecords({ file, account: 1, channel, rows: count, days })
    say(`wrote ${figure(2 * count)} records in ${figure((performance.now() - start) / 1000)} s`)
  }
  const [owner] = await runtime.runPromise(store.accounts)
  if (owner === undefined) throw new Error(`${file} has no account`)
  const db = new Sqlite(file, { readonly: true })
  const middle = db.prepare<[number], Readonly<Record<string, string | number>>>(
    `SELECT id, recipient, status_at, created_at, details ->> '$.text' AS text FROM deliveries
     WHERE partition & 255 = ? ORDER BY n LIMIT 1 OFFSET ${count >> 1}`
  )
  const samples = new Map(channels.map(({ channel }) => [channel, middle.get(channel === "call" ? 0 : 3)]))
  db.close()
  return {
    account: owner.account.id,
    store,
    sample: (channel) => samples.get(channel) ?? {},
    close: () => runtime.dispose()
  }
}

const account = (id: AccountId) => ({
  id,
  name: "Bench",
  caller: null,
  smsSender: null,
  senderUsername: null,
  minRing: 5,
  maxRing: 15,
  storeText: true,
  createdAt: Date.now()
})

type Body = Readonly<Record<string, unknown>>

interface Case {
  readonly name: string
  /** How many records a page has. */
  readonly size: number
  readonly body: (records: Records) => Body
}

/** The field of a case that is named "field, how". */
const bare = (name: string): string => name.split(",")[0] ?? name

const plain = (name: string, body: Body): Case => ({ name, size: PER_PAGE, body: () => body })

const filter = (name: string, value: unknown): Case => plain(name, { filter: { [bare(name)]: value } })

/** A filter by what a record in the middle has. */
const sampled = (
  channel: Channel,
  field: string,
  of: (sample: Readonly<Record<string, string | number>>) => unknown
): Case => ({
  name: field,
  size: field.endsWith("one hour") ? PER_PAGE / 2 : PER_PAGE,
  body: (records: Records) => ({ filter: { [bare(field)]: of(records.sample(channel)) } })
})

const stamp = (value: string | number | undefined, later = 0): string => new Date(Number(value) + later).toISOString()
const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

const filters: { readonly [C in Channel]: ReadonlyArray<Case> } = {
  sms: [
    sampled("sms", "uuid", ({ id }) => id),
    sampled("sms", "messageId", ({ id }) => MessageId.fromDeliveryId(DeliveryId.make(String(id)))),
    filter("from, common", "Acme"),
    filter("from, rare", "Rare"),
    sampled("sms", "to", ({ recipient }) => recipient),
    filter("status, common", "delivered"),
    filter("status, rare", "sent"),
    filter("status, two", ["undelivered", "failed"]),
    sampled("sms", "timestamp, one hour", ({ status_at: at }) => ({ gte: stamp(at), lt: stamp(at, HOUR) })),
    sampled("sms", "timestamp, one day", ({ status_at: at }) => ({ gte: stamp(at), lt: stamp(at, DAY) })),
    sampled("sms", "timestamp, half", ({ status_at: at }) => ({ gte: stamp(at) })),
    sampled("sms", "created_at, one hour", ({ created_at: at }) => ({ gte: stamp(at), lt: stamp(at, HOUR) })),
    sampled("sms", "created_at, one day", ({ created_at: at }) => ({ gte: stamp(at), lt: stamp(at, DAY) })),
    sampled("sms", "created_at, half", ({ created_at: at }) => ({ gte: stamp(at) })),
    filter("parts, common", 1),
    filter("parts, rare", { gte: 3 }),
    filter("price, common", 0.05),
    filter("price, rare", { gt: 0.3 }),
    sampled("sms", "text", ({ text }) => text)
  ],
  call: [
    sampled("call", "uuid", ({ id }) => id),
    filter("caller, common", "+4930901820123"),
    filter("caller, rare", "+4930901820125"),
    sampled("call", "callee", ({ recipient }) => recipient),
    filter("hangup_cause, common", "NO_ANSWER"),
    filter("hangup_cause, rare", "CALL_REJECTED"),
    filter("hangup_cause, null", null),
    filter("duration, common", { gt: 5 }),
    filter("duration, rare", { gte: 15 }),
    filter("billsec, all", 0),
    filter("billsec, none", { gt: 0 }),
    filter("pdd, common", { gte: 1 }),
    filter("pdd, rare", { gte: 2.99 }),
    sampled("call", "start_stamp, one hour", ({ created_at: at }) => ({ gte: stamp(at), lt: stamp(at, HOUR) })),
    sampled("call", "start_stamp, one day", ({ created_at: at }) => ({ gte: stamp(at), lt: stamp(at, DAY) })),
    sampled("call", "start_stamp, half", ({ created_at: at }) => ({ gte: stamp(at) })),
    filter("destination_country, common", "Germany"),
    filter("destination_country, rare", "Liechtenstein"),
    filter("destination_country_code, common", "DE"),
    filter("destination_country_code, rare", "LI"),
    filter("reported_status, common", "Success"),
    filter("reported_status, rare", "Failed"),
    filter("reported_status, null", null),
    filter("sip_status, common", 487),
    filter("sip_status, rare", 486),
    filter("q850, common", 19),
    filter("q850, rare", 17),
    filter("price, all", 0.02),
    filter("price, none", { gt: 0.02 })
  ]
}

const casesOf = (channel: Channel, fields: ListFields<Field>): ReadonlyArray<Case> => [
  plain("newest first", {}),
  plain("oldest first", { sort_direction: "ASC" }),
  ...(flag("sorts") ? [...fields.fields.keys()].map((name) => plain(`sorted by ${name}`, { sort_by: name })) : []),
  ...filters[channel]
]

const decodeBody = Schema.decodeUnknownSync(ListBody)

const asking = (records: Records, channel: Channel, fields: ListFields<Field>, body: Body): (() => Promise<Page>) => {
  const query = Result.getOrThrow(toQuery(fields, decodeBody(body)))
  const listing = { account: records.account, mode: "live", channel, ...query } as const
  return () => Effect.runPromise(records.store.list(listing))
}

const timed = async (question: () => Promise<Page>): Promise<number> => {
  const start = performance.now()
  await question()
  return performance.now() - start
}

/** Milliseconds at both sizes: medians of runs that take turns. */
const compare = async (small: () => Promise<Page>, large: () => Promise<Page>) => {
  const times = { small: new Array<number>(), large: new Array<number>() }
  await timed(small)
  const first = await timed(large)
  if (first > PATIENCE) times.large.push(first)
  const start = performance.now()
  for (let run = 0; run < LEAST_RUNS || performance.now() - start < ENOUGH; run++) {
    times.small.push(await timed(small))
    if (first <= PATIENCE) times.large.push(await timed(large))
  }
  return { small: median(times.small), large: median(times.large) }
}

interface Measured {
  readonly channel: Channel
  readonly list: string
  readonly page: "first" | "middle" | "last"
  readonly total: number
  readonly small: number
  readonly large: number
  readonly ratio: number
}

const measure = async (small: Records, large: Records): Promise<ReadonlyArray<Measured>> => {
  const results: Array<Measured> = []
  for (const { channel, fields } of channels) {
    for (const { body, name, size: perPage } of casesOf(channel, fields)) {
      const question = (records: Records, page: number) =>
        asking(records, channel, fields, { ...body(records), page, rows_per_page: perPage })
      const totals = { small: 0, large: 0 }
      // The first page says how many there are.
      const told = (size: "small" | "large", ask: () => Promise<Page>) => async () => {
        const page = await ask()
        totals[size] = page.total
        return page
      }
      const isDefault = name.endsWith(" first")
      for (const page of ["first", "middle", ...(isDefault ? (["last"] as const) : [])] as const) {
        const at = (total: number): number =>
          page === "first" ? 1 : Math.max(1, Math.ceil(total / perPage / (page === "last" ? 1 : 2)))
        if (page !== "first" && at(totals.large) === 1) continue
        const times = await compare(
          told("small", question(small, at(totals.small))),
          told("large", question(large, at(totals.large)))
        )
        const result = { channel, list: name, page, total: totals.large, ...times, ratio: times.large / times.small }
        results.push(result)
        say(
          `${channel.padEnd(4)}  ${name.padEnd(34)} ${page.padEnd(6)} ${figure(times.small).padStart(9)} ms ` +
            `${figure(times.large).padStart(9)} ms  ${figure(result.ratio)}`
        )
      }
    }
  }
  return results
}

const main = async (): Promise<void> => {
  for (const { channel, fields } of channels) {
    const named = new Set(filters[channel].map(({ name }) => bare(name)))
    const missing = [...fields.fields.keys()].filter((name) => !named.has(name))
    if (missing.length > 0) throw new Error(`no filter of ${channel} asks for ${missing.join(", ")}`)
  }
  const folder = workFolder()
  const small = await openRecords(join(folder, "small.db"), SMALL)
  const large = await openRecords(textOption("file") ?? join(folder, "large.db"), rows)
  try {
    const results = await measure(small, large)
    const slow = results.filter(({ ratio }) => ratio > LIMIT).toSorted((a, b) => b.large - a.large)
    say(`\n${machineLine()}; ${figure(rows)} records of each channel over ${days} days\n`)
    say(
      `${results.length - slow.length} of ${results.length} lists cost at most ${LIMIT} times what they do at 10,000.`
    )
    if (slow.length > 0) say(`The others:\n`)
    if (slow.length > 0) say(slowTable(slow))
    writeJson({ bench: "lists", rows, days, limit: LIMIT, results })
  } finally {
    await small.close()
    await large.close()
  }
}

const slowTable = (slow: ReadonlyArray<Measured>): string =>
  table(
    ["list", "page", "matches", "ms at 10,000", `ms at ${figure(rows)}`, "ratio"],
    slow.map(({ channel, large, list, page, ratio, small, total }) => [
      `${channel}, ${list}`,
      page,
      figure(total),
      figure(small),
      figure(large),
      figure(ratio)
    ])
  )

await main()
