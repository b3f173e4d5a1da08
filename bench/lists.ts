/**
 * Lists of SMS records, on SQLite or on PostgreSQL: the lists that have an index, compared with the same lists over
 * 10,000 records, and some that search their window.
 *
 * One account has all records, live, spread evenly over several days. A page has 20 records and the exact total. Each
 * list is measured in two ways: at the store, from the question to the decoded rows; and over HTTP at the whole
 * service, in a `node:http` server of this process. The answers are compared with the answers of a plain SELECT, whose
 * time is in the table. Numbers and ids vary from call to call, so that they are not always found in a cache.
 *
 * `npm run bench -- lists [--rows=1e6] [--days=30] [--store=sqlite|postgres] [--unchecked] [--folder=records]
 * [--json[=file]]`; ten million with `--rows=1e7`. `--folder` keeps the records (SQLite's files or PostgreSQL's data)
 * there for the next run. `--unchecked` skips the plain SELECTs, which take seconds each at ten million.
 */
import { serve } from "@watchword/node"
import { ListBody } from "@watchword/pagination/Page"
import { toQuery } from "@watchword/pagination/Fields"
import * as SmsRecord from "../packages/sms/src/internal/SmsRecord.ts"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { createWatchword } from "watchword"
import { type Page, type Question, questions, type Sample } from "./support/listQuestions.ts"
import { type RecordStore, onPostgres, onSqlite } from "./support/recordStores.ts"
import { figure, flag, machineLine, median, numberOption, say, table, textOption, writeJson } from "./support/report.ts"

const SMALL = 10_000
const LIMIT = 2
const PER_PAGE = 20
/** Each list is queried at least this often, and until the queries have taken `ENOUGH` milliseconds. */
const LEAST_RUNS = 15
const ENOUGH = 150
/** How many numbers and ids alternate. */
const SAMPLES = 16
const DAY = 24 * 60 * 60 * 1000

const rows = numberOption("rows", 1e6)
const days = numberOption("days", 30)
const engine = textOption("store") ?? "sqlite"

interface Answer {
  readonly total: number
  readonly ids: ReadonlyArray<string>
}

type Ask = (body: Readonly<Record<string, unknown>>) => Promise<Answer>

const ways = ["store", "http"] as const
type Way = (typeof ways)[number]

/** Records, and the ways to query them. */
interface Opened {
  readonly ask: Readonly<Record<Way, Ask>>
  readonly select: RecordStore["select"]
  readonly samples: ReadonlyArray<Sample>
  readonly close: () => Promise<void>
}

const decodeBody = Schema.decodeUnknownSync(ListBody)

const WirePage = Schema.fromJsonString(
  Schema.Struct({ total: Schema.Number, list: Schema.Array(Schema.Struct({ uuid: Schema.String })) })
)

const opened = async (records: RecordStore): Promise<Opened> => {
  const runtime = ManagedRuntime.make(records.layer)
  const store = await runtime.runPromise(Store)
  const [owner] = await Effect.runPromise(store.accounts)
  if (owner === undefined) throw new Error("there is no account")
  const account = owner.account.id

  const askStore: Ask = async (body) => {
    const query = Result.getOrThrow(toQuery(SmsRecord.format.fields, decodeBody(body)))
    const page = await Effect.runPromise(store.list({ account, mode: "live", channel: "sms", ...query }))
    return { total: page.total, ids: page.rows.map(({ id }) => id) }
  }

  const service = await createWatchword({ store: Layer.succeed(Store, store) })
  const { key } = await service.operator.key.create({ account_id: account })
  const serving = await serve(service, { port: 0 })
  const headers = { "x-api-key": key, "x-account-id": account, "content-type": "application/json" }
  const askHttp: Ask = async (body) => {
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
    await runtime.dispose()
  }
  return { ask: { store: askStore, http: askHttp }, select: records.select, samples: await samplesOf(records), close }
}

/** Records from across the middle half; the window of each ends before the last record. */
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

const pageOf = (page: Page, total: number): number =>
  page === "first" ? 1 : Math.max(1, Math.ceil(total / PER_PAGE / (page === "last" ? 1 : 2)))

/** Compares the answers with a plain SELECT, which reads the whole table, and returns the time of the SELECT. */
const check = async ({ ask, samples, select }: Opened, question: Question, page: Page): Promise<number> => {
  const [sample] = samples
  if (sample === undefined) throw new Error("there are no records")
  const where = question.where(sample)
  const start = performance.now()
  const [counted] = await select(`SELECT count(*) AS n FROM deliveries WHERE ${where}`)
  const total = Number(counted?.["n"])
  const offset = (pageOf(page, total) - 1) * PER_PAGE
  const found = await select(
    `SELECT id FROM deliveries WHERE ${where} ORDER BY ${question.order ?? "status_at DESC, id DESC"}
     LIMIT ${PER_PAGE} OFFSET ${offset}`
  )
  const took = performance.now() - start
  const expected = JSON.stringify([total, ...found.map(({ id }) => String(id))])
  for (const way of ways) {
    const answer = await ask[way]({ ...question.body(sample), page: pageOf(page, total), rows_per_page: PER_PAGE })
    const given = JSON.stringify([answer.total, ...answer.ids])
    if (given !== expected) throw new Error(`${question.name}, ${page} page: ${given} instead of ${expected}`)
  }
  return took
}

/** Milliseconds at both sizes. */
interface Times {
  readonly small: number
  readonly large: number
  readonly ratio: number
}

interface Measured extends Readonly<Record<Way, Times>> {
  readonly list: string
  readonly page: Page
  readonly indexed: boolean
  readonly total: number
  /** Milliseconds of a plain SELECT over all records; null if it was skipped. */
  readonly select: number | null
}

interface Sizes {
  readonly small: Opened
  readonly large: Opened
}

/** Medians of alternating runs. */
const compare = async (
  { large, small }: Sizes,
  way: Way,
  question: Question,
  page: Page
): Promise<Times & { readonly total: number }> => {
  const totals = new Map<Opened, Array<number>>()
  const run = async (opened: Opened, index: number): Promise<number> => {
    const sample = opened.samples[index % SAMPLES]
    if (sample === undefined) throw new Error("there are no records")
    const ask = opened.ask[way]
    const body = { ...question.body(sample), rows_per_page: PER_PAGE }
    const known = totals.get(opened) ?? []
    totals.set(opened, known)
    const total = (known[index % SAMPLES] ??= page === "first" ? 0 : (await ask(body)).total)
    const start = performance.now()
    const answer = await ask({ ...body, page: pageOf(page, total) })
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
  const [ofSmall, ofLarge] = [median(times.small), median(times.large)]
  return { small: ofSmall, large: ofLarge, ratio: ofLarge / ofSmall, total: totals.get(large)?.[0] ?? 0 }
}

const measure = async (sizes: Sizes, question: Question, page: Page): Promise<Measured> => {
  let select: number | null = null
  if (!flag("unchecked")) {
    await check(sizes.small, question, page)
    select = await check(sizes.large, question, page)
  }
  const { total, ...store } = await compare(sizes, "store", question, page)
  const { total: _, ...http } = await compare(sizes, "http", question, page)
  return { list: question.name, page, indexed: question.indexed, total, store, http, select }
}

const main = async (): Promise<void> => {
  if (engine !== "sqlite" && engine !== "postgres") throw new Error("--store must be sqlite or postgres.")
  const stores = await (engine === "sqlite" ? onSqlite : onPostgres)(textOption("folder"))
  const start = performance.now()
  const records = [await stores.open({ rows: SMALL, days }), await stores.open({ rows, days })] as const
  say(`${figure(rows)} records were there after ${figure((performance.now() - start) / 1000)} s`)
  const sizes: Sizes = { small: await opened(records[0]), large: await opened(records[1]) }
  try {
    const results: Array<Measured> = []
    for (const question of questions) {
      for (const page of question.pages) {
        const result = await measure(sizes, question, page)
        results.push(result)
        const { http, list, store } = result
        say(
          `${`${list}, ${page}`.padEnd(40)} ${[store, http].map(({ large, ratio }) => `${figure(large)} ms, ${figure(ratio)} times`).join("; ")}`
        )
      }
    }
    report(results)
    writeJson({ bench: "lists", store: engine, rows, days, limit: LIMIT, results })
  } finally {
    await sizes.small.close()
    await sizes.large.close()
    await stores.close()
  }
}

const report = (results: ReadonlyArray<Measured>): void => {
  say(`\n${machineLine()}; ${engine}, ${figure(rows)} records over ${days} days, in milliseconds\n`)
  const size = figure(rows)
  say(
    table(
      ["list", "page", "matches", "at 10,000", `at ${size}`, "ratio", "HTTP: 10,000", size, "ratio", "SELECT", "index"],
      results.map(({ http, indexed, list, page, select, store, total }) => [
        list,
        page,
        figure(total),
        ...[store, http].flatMap(({ large, ratio, small }) => [figure(small), figure(large), figure(ratio)]),
        select === null ? "–" : figure(select),
        indexed ? "yes" : "window"
      ])
    )
  )
  const indexed = results.filter((result) => result.indexed)
  for (const way of ways) {
    const good = indexed.filter((result) => result[way].ratio <= LIMIT)
    say(
      `\n${way === "store" ? "Of the store" : "Over HTTP"} ${good.length} of ${indexed.length} lists with an index cost ` +
        `at most ${LIMIT} times what they do at 10,000.`
    )
  }
}

await main()
