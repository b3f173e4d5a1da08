/**
 * Lists of SMS records, on SQLite or on PostgreSQL: those that have an index, beside themselves at 10,000 records, and
 * some that are looked for in their window.
 *
 * One account has all records, live, spread evenly over some days. A page has 20 records and the exact total. Each
 * answer is compared with a plain SELECT from the table. What is measured is the store's `list`, from the question to
 * the decoded rows; with `--http` a request to the whole service in a `node:http` server of this process. Numbers and
 * ids are other ones each time, so that they are not only found in a cache.
 *
 * `npm run bench -- lists [--rows=1e6] [--days=30] [--store=sqlite|postgres] [--http] [--unchecked] [--file=records.db]
 * [--json[=file]]`; ten million with `--rows=1e7`. With `--file` the records of SQLite are kept, and used the next time.
 * `--unchecked` leaves out the plain SELECTs, which take seconds each at ten million.
 */
import { serve } from "@watchword/node"
import { ListBody } from "@watchword/pagination/ListBody"
import { toQuery } from "@watchword/pagination/ListFields"
import type { AccountId } from "@watchword/schemas/Ids"
import * as SmsRecord from "../packages/sms/src/internal/SmsRecord.ts"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { createWatchword } from "watchword"
import { type RecordStore, onPostgres, onSqlite } from "./support/recordStores.ts"
import { figure, flag, machineLine, median, numberOption, say, table, textOption, writeJson } from "./support/report.ts"

const SMALL = 10_000
const LIMIT = 2
const PER_PAGE = 20
/** A list is asked for so many times, and further until that took so many milliseconds. */
const LEAST_RUNS = 15
const ENOUGH = 150
/** How many numbers and ids take turns. */
const SAMPLES = 16
const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

const rows = numberOption("rows", 1e6)
const days = numberOption("days", 30)
const engine = textOption("store") ?? "sqlite"
const isHttp = flag("http")

type Page = "first" | "middle" | "last"

interface Sample {
  readonly id: string
  readonly recipient: string
  readonly at: number
}

/** A list, and the same as conditions and an order in plain SQL. */
interface Question {
  readonly name: string
  /** Whether it has an index: then it is to cost the same however many records there are. */
  readonly indexed: boolean
  readonly pages: ReadonlyArray<Page>
  readonly body: (sample: Sample) => Readonly<Record<string, unknown>>
  readonly where: (sample: Sample) => string
  readonly order?: string
}

const all: ReadonlyArray<Page> = ["first", "middle", "last"]
const one: ReadonlyArray<Page> = ["first"]

const stamp = (at: number): string => new Date(at).toISOString()
const within = ({ at }: Sample, time: number) => ({ gte: stamp(at), lt: stamp(at + time) })
const listedWithin = ({ at }: Sample, time: number): string => `status_at >= ${at} AND status_at < ${at + time}`

const questions: ReadonlyArray<Question> = [
  { name: "newest first", indexed: true, pages: all, body: () => ({}), where: () => "true" },
  {
    name: "oldest first",
    indexed: true,
    pages: all,
    body: () => ({ sort_direction: "ASC" }),
    where: () => "true",
    order: "status_at ASC, id ASC"
  },
  {
    name: "id",
    indexed: true,
    pages: one,
    body: ({ id }) => ({ filter: { uuid: id } }),
    where: ({ id }) => `id = '${id}'`
  },
  {
    name: "number",
    indexed: true,
    pages: one,
    body: ({ recipient }) => ({ filter: { to: recipient } }),
    where: ({ recipient }) => `recipient = '${recipient}'`
  },
  {
    name: "number, in a day",
    indexed: true,
    pages: one,
    body: (sample) => ({ filter: { to: sample.recipient, timestamp: within(sample, DAY) } }),
    where: (sample) => `recipient = '${sample.recipient}' AND ${listedWithin(sample, DAY)}`
  },
  {
    name: "number and status",
    indexed: true,
    pages: one,
    body: ({ recipient }) => ({ filter: { to: recipient, status: "delivered" } }),
    where: ({ recipient }) => `recipient = '${recipient}' AND status = 'delivered'`
  },
  {
    name: "number and status, in a week",
    indexed: true,
    pages: one,
    body: (sample) => ({ filter: { to: sample.recipient, status: "delivered", timestamp: within(sample, 7 * DAY) } }),
    where: (sample) => `recipient = '${sample.recipient}' AND status = 'delivered' AND ${listedWithin(sample, 7 * DAY)}`
  },
  {
    name: "status, common",
    indexed: true,
    pages: all,
    body: () => ({ filter: { status: "delivered" } }),
    where: () => "status = 'delivered'"
  },
  {
    name: "status, rare",
    indexed: true,
    pages: all,
    body: () => ({ filter: { status: "sent" } }),
    where: () => "status = 'sent'"
  },
  {
    name: "two statuses",
    indexed: true,
    pages: all,
    body: () => ({ filter: { status: ["undelivered", "failed"] } }),
    where: () => "status IN ('undelivered', 'failed')"
  },
  {
    name: "status, in a week",
    indexed: true,
    pages: all,
    body: (sample) => ({ filter: { status: "delivered", timestamp: within(sample, 7 * DAY) } }),
    where: (sample) => `status = 'delivered' AND ${listedWithin(sample, 7 * DAY)}`
  },
  {
    name: "a day",
    indexed: true,
    pages: all,
    body: (sample) => ({ filter: { timestamp: within(sample, DAY) } }),
    where: (sample) => listedWithin(sample, DAY)
  },
  {
    name: "price, in an hour",
    indexed: false,
    pages: one,
    body: (sample) => ({ filter: { price: { gt: 0.1 }, timestamp: within(sample, HOUR) } }),
    where: (sample) => `price > 100000 AND ${listedWithin(sample, HOUR)}`
  },
  {
    name: "price, in a day",
    indexed: false,
    pages: one,
    body: (sample) => ({ filter: { price: { gt: 0.1 }, timestamp: within(sample, DAY) } }),
    where: (sample) => `price > 100000 AND ${listedWithin(sample, DAY)}`
  },
  {
    name: "a day, sorted by price",
    indexed: false,
    pages: one,
    body: (sample) => ({ sort_by: "price", filter: { timestamp: within(sample, DAY) } }),
    where: (sample) => listedWithin(sample, DAY),
    order: "price DESC, id DESC"
  }
]

interface Answer {
  readonly total: number
  readonly ids: ReadonlyArray<string>
}

type Ask = (body: Readonly<Record<string, unknown>>) => Promise<Answer>

/** Records, and a way to ask for them. */
interface Opened {
  readonly ask: Ask
  readonly select: RecordStore["select"]
  readonly samples: ReadonlyArray<Sample>
  readonly close: () => Promise<void>
}

const opened = async (store: RecordStore): Promise<Opened> => {
  const { ask, close } = isHttp ? await overHttp(store) : await direct(store)
  return { ask, close, select: store.select, samples: await samplesOf(store) }
}

/** Records from all over the middle half, none of whose windows ends after the last of them. */
const samplesOf = async ({ select }: RecordStore): Promise<ReadonlyArray<Sample>> => {
  const [bounds] = await select("SELECT min(status_at) AS first, max(status_at) AS last FROM deliveries")
  const [first, last] = [Number(bounds?.["first"]), Number(bounds?.["last"])]
  const samples: Array<Sample> = []
  for (let index = 0; index < SAMPLES; index++) {
    const at = Math.floor(first + (last - first) * (0.25 + (index / SAMPLES) * 0.45))
    const [row] = await select(
      `SELECT id, recipient FROM deliveries WHERE status_at >= ${at} AND status_at < ${at} + ${DAY} LIMIT 1`
    )
    samples.push({ id: String(row?.["id"]), recipient: String(row?.["recipient"]), at })
  }
  return samples
}

/** The only account of a store. */
const accountOf = async (layer: RecordStore["layer"]): Promise<AccountId> => {
  const [owner] = await Effect.runPromise(
    Effect.provide(
      Store.use((store) => store.accounts),
      layer
    )
  )
  if (owner === undefined) throw new Error("there is no account")
  return owner.account.id
}

const decodeBody = Schema.decodeUnknownSync(ListBody)

const direct = async ({ layer }: RecordStore): Promise<Pick<Opened, "ask" | "close">> => {
  const runtime = ManagedRuntime.make(layer)
  const store = await runtime.runPromise(Store)
  const account = await accountOf(layer)
  const ask: Ask = async (body) => {
    const query = Result.getOrThrow(toQuery(SmsRecord.format.fields, decodeBody(body)))
    const page = await Effect.runPromise(store.list({ account, mode: "live", channel: "sms", ...query }))
    return { total: page.total, ids: page.rows.map(({ id }) => id) }
  }
  return { ask, close: () => runtime.dispose() }
}

const WirePage = Schema.fromJsonString(
  Schema.Struct({ total: Schema.Number, list: Schema.Array(Schema.Struct({ uuid: Schema.String })) })
)

const overHttp = async ({ layer }: RecordStore): Promise<Pick<Opened, "ask" | "close">> => {
  const account = await accountOf(layer)
  const service = await createWatchword({ store: layer })
  const { key } = await service.operator.createKey({ account })
  const serving = await serve({ handle: service.handle, port: 0 })
  const headers = { "x-api-key": key, "x-account-id": account, "content-type": "application/json" }
  const ask: Ask = async (body) => {
    const response = await fetch(`http://127.0.0.1:${serving.port}/sms/sdr`, {
      method: "POST",
      headers,
      body: JSON.stringify(body)
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(text)
    const page = Schema.decodeSync(WirePage)(text)
    return { total: page.total, ids: page.list.map(({ uuid }) => uuid) }
  }
  const close = async (): Promise<void> => {
    await serving.close()
    await service.dispose()
  }
  return { ask, close }
}

const pageOf = (page: Page, total: number): number =>
  page === "first" ? 1 : Math.max(1, Math.ceil(total / PER_PAGE / (page === "last" ? 1 : 2)))

/** Compares an answer with a plain SELECT, which reads the table whole. */
const check = async ({ ask, samples, select }: Opened, question: Question, page: Page): Promise<void> => {
  const [sample] = samples
  if (sample === undefined) throw new Error("there are no records")
  const where = question.where(sample)
  const [counted] = await select(`SELECT count(*) AS n FROM deliveries WHERE ${where}`)
  const total = Number(counted?.["n"])
  const offset = (pageOf(page, total) - 1) * PER_PAGE
  const found = await select(
    `SELECT id FROM deliveries WHERE ${where} ORDER BY ${question.order ?? "status_at DESC, id DESC"}
     LIMIT ${PER_PAGE} OFFSET ${offset}`
  )
  const expected = JSON.stringify([total, ...found.map(({ id }) => String(id))])
  const answer = await ask({ ...question.body(sample), page: pageOf(page, total), rows_per_page: PER_PAGE })
  const given = JSON.stringify([answer.total, ...answer.ids])
  if (given !== expected) throw new Error(`${question.name}, ${page} page: ${given} instead of ${expected}`)
}

interface Measured {
  readonly list: string
  readonly page: Page
  readonly indexed: boolean
  readonly total: number
  readonly small: number
  readonly large: number
  readonly ratio: number
}

/** Milliseconds at both sizes: medians of runs that take turns. */
const compare = async (small: Opened, large: Opened, question: Question, page: Page): Promise<Measured> => {
  const totals = new Map<Opened, Array<number>>()
  const run = async (opened: Opened, index: number): Promise<number> => {
    const sample = opened.samples[index % SAMPLES]
    if (sample === undefined) throw new Error("there are no records")
    const body = { ...question.body(sample), rows_per_page: PER_PAGE }
    const known = totals.get(opened) ?? []
    totals.set(opened, known)
    const total = (known[index % SAMPLES] ??= page === "first" ? 0 : (await opened.ask(body)).total)
    const start = performance.now()
    const answer = await opened.ask({ ...body, page: pageOf(page, total) })
    const took = performance.now() - start
    known[index % SAMPLES] = answer.total
    return took
  }
  for (let index = 0; index < 3; index++) for (const opened of [small, large]) await run(opened, index)
  const times = { small: new Array<number>(), large: new Array<number>() }
  const start = performance.now()
  for (let index = 0; index < LEAST_RUNS || performance.now() - start < ENOUGH; index++) {
    times.small.push(await run(small, index))
    times.large.push(await run(large, index))
  }
  const { indexed, name } = question
  const [ofSmall, ofLarge] = [median(times.small), median(times.large)]
  const total = totals.get(large)?.[0] ?? 0
  return { list: name, page, indexed, total, small: ofSmall, large: ofLarge, ratio: ofLarge / ofSmall }
}

const main = async (): Promise<void> => {
  if (engine !== "sqlite" && engine !== "postgres") throw new Error("--store must be sqlite or postgres.")
  const stores = engine === "sqlite" ? onSqlite() : await onPostgres()
  const start = performance.now()
  const file = textOption("file")
  const opening = [
    await stores.open("small", { rows: SMALL, days }),
    await stores.open("large", { rows, days }, file ?? undefined)
  ] as const
  say(`${figure(rows)} records were there after ${figure((performance.now() - start) / 1000)} s`)
  const [small, large] = [await opened(opening[0]), await opened(opening[1])]
  try {
    const results: Array<Measured> = []
    for (const question of questions) {
      for (const page of question.pages) {
        if (!flag("unchecked")) for (const size of [small, large]) await check(size, question, page)
        const result = await compare(small, large, question, page)
        results.push(result)
        say(
          `${result.list.padEnd(30)} ${page.padEnd(6)} ${figure(result.small).padStart(9)} ms ` +
            `${figure(result.large).padStart(9)} ms  ${figure(result.ratio)}`
        )
      }
    }
    report(results)
    writeJson({ bench: "lists", store: engine, http: isHttp, rows, days, limit: LIMIT, results })
  } finally {
    await small.close()
    await large.close()
    await stores.close()
  }
}

const report = (results: ReadonlyArray<Measured>): void => {
  const indexed = results.filter((result) => result.indexed)
  const good = indexed.filter(({ ratio }) => ratio <= LIMIT)
  say(`\n${machineLine()}; ${engine}${isHttp ? " over HTTP" : ""}, ${figure(rows)} records over ${days} days\n`)
  say(
    table(
      ["list", "page", "matches", "ms at 10,000", `ms at ${figure(rows)}`, "ratio", "index"],
      results.map(({ indexed, large, list, page, ratio, small, total }) => [
        list,
        page,
        figure(total),
        figure(small),
        figure(large),
        figure(ratio),
        indexed ? "yes" : "window"
      ])
    )
  )
  say(`\n${good.length} of ${indexed.length} lists with an index cost at most ${LIMIT} times what they do at 10,000.`)
}

await main()
