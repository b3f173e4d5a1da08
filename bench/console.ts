/**
 * Pages of the operators' console over many records of one account, on SQLite or on PostgreSQL: the time that the
 * server takes for the answer of each command that a page asks, through the console's handler.
 *
 * A process answers all viewers of a page by one query each five seconds at most, so a page's cost does not grow with
 * them.
 *
 * `npm run bench -- console [--rows=1e6] [--days=30] [--store=sqlite|postgres] [--folder=records] [--json[=file]]`
 */
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { setTimeout as sleep } from "node:timers/promises"
import { createWatchword, watchwordConsole } from "watchword"
import { onPostgres, onSqlite } from "./support/recordStores.ts"
import {
  figure,
  machineLine,
  median,
  numberOption,
  say,
  sorted,
  table,
  textOption,
  writeJson
} from "./support/report.ts"

const RUNS = 15
/** Between two runs, so that one does not pay for another: pages ask every five seconds. */
const PAUSE = 200
const HOUR = 3_600_000

const rows = numberOption("rows", 1e6)
const days = numberOption("days", 30)
const engine = textOption("store") ?? "sqlite"
if (engine !== "sqlite" && engine !== "postgres") throw new Error("--store must be sqlite or postgres.")

const ago = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString()

/** What pages ask. */
const questions = (
  account: string,
  number: string
): ReadonlyArray<readonly [page: string, command: string, input: object]> => [
  ["Now", "overview", {}],
  ["Number", "why", { number, since: ago(24 * days) }],
  ["Live", "delivery list", {}],
  ["Live, of a status that is rare", "delivery list", { status: "sent" }],
  ["Live, of a status that none has", "delivery list", { status: "blocked" }],
  ["Live, of a country", "delivery list", { country: "DE" }],
  ["Live, of a country that none has", "delivery list", { country: "FR" }],
  ["Live, of a prefix that none has", "delivery list", { prefix: "+33612" }],
  ["Live, its filters", "delivery filters", {}],
  ["Live, of a carrier that none has", "delivery list", { carrier: "acme" }],
  ["Live, verifications", "verification list", {}],
  ["Guards", "guard look", {}],
  ["Traffic, 180 days by day", "traffic", { since: ago(24 * 180), by: ["day"] }],
  ["Traffic, 90 days by country", "traffic", { since: ago(24 * 90), by: ["country"] }],
  ["Traffic, a month by carrier", "traffic", { since: ago(24 * 60), until: ago(24 * 30), by: ["carrier"] }],
  ["Accounts", "account list", {}],
  ["Account", "account show", { account_id: account }],
  ["Account, ledger", "account entries", { account_id: account, newest: 100 }],
  ["Connections, carriers", "carrier list", {}],
  ["Connections, webhooks", "webhook list", {}],
  ["Log", "operator log", {}]
]

const stores = await (engine === "sqlite" ? onSqlite(textOption("folder")) : onPostgres(textOption("folder")))
const records = await stores.open({ rows, days })
const runtime = ManagedRuntime.make(records.layer)
const store = await runtime.runPromise(Store)
const service = await createWatchword({ store: Layer.succeed(Store, store), background: false })
try {
  const ask = watchwordConsole(service, { authorize: () => ({ name: "bench", role: "admin" }) }).fetch
  const timed = async (command: string, input: object): Promise<number> => {
    const request = new Request(`http://127.0.0.1/operator/v1/${command.replaceAll(" ", "/")}`, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: JSON.stringify(input)
    })
    const start = performance.now()
    const response = await ask(request)
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${command}: ${response.status} ${text}`)
    return performance.now() - start
  }
  const [owner] = await Effect.runPromise(store.accounts)
  const [row] = await records.select("SELECT recipient FROM deliveries ORDER BY id DESC LIMIT 1")
  const results = []
  for (const [page, command, input] of questions(owner?.account.id ?? "", String(row?.["recipient"]))) {
    const times: Array<number> = []
    for (let run = 0; run < RUNS; run += 1) {
      await sleep(PAUSE)
      times.push(await timed(command, input))
    }
    results.push({ page, command, first: times[0] ?? 0, median: median(times), worst: sorted(times).at(-1) ?? 0 })
  }
  say(`\n${machineLine()}; ${engine}, ${figure(rows)} records of ${days} days, ${RUNS} times each, ms\n`)
  say(
    table(
      ["page", "command", "first", "median", "worst"],
      results.map(({ command, first, median, page, worst }) => [
        page,
        command,
        figure(first),
        figure(median),
        figure(worst)
      ])
    )
  )
  writeJson({ bench: "console", store: engine, rows, days, results })
} finally {
  await service.dispose()
  await runtime.dispose()
  await stores.close()
}
