/**
 * The traffic roll-up of 90 days on SQLite or PostgreSQL: reading it by country, and adding a flush to it.
 *
 * A million sends to 200 countries over two carriers, the same number in each hour. A few countries have most of them:
 * the first a quarter, the last a thousandth. For the cost of the roll-up per send see `npm run bench -- sms`.
 *
 * `npm run bench -- traffic [--sends=1e6] [--days=90] [--store=sqlite|postgres] [--json[=file]]`
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { nextAccountId } from "@watchword/schemas/Ids"
import { AMOUNTS, type TrafficRow, hourOf } from "@watchword/store/Traffic"
import { Store } from "@watchword/store/Store"
import { sqlite } from "@watchword/store-sqlite"
import { postgres } from "@watchword/store-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { start } from "../test/PostgresServer.ts"
import { workFolder } from "./support/processes.ts"
import { figure, machineLine, median, numberOption, say, table, textOption, writeJson } from "./support/report.ts"

const sends = numberOption("sends", 1e6)
const days = numberOption("days", 90)
const engine = textOption("store") ?? "sqlite"

const COUNTRIES = Array.from({ length: 200 }, (_, n) => String.fromCharCode(65 + (n % 20), 65 + Math.floor(n / 20)))
const CARRIERS = ["acme", "bell"]
const RUNS = 15

const account = nextAccountId(Date.now())
const now = hourOf(Date.now())

/** Draws a send's country: the first countries get most sends. */
const countryOf = (draw: number): string =>
  COUNTRIES[Math.min(COUNTRIES.length - 1, Math.floor(COUNTRIES.length * draw ** 4))] ?? ""

/** The rows for the sends of one hour. */
const rowsOf = (hour: number, count: number): ReadonlyArray<TrafficRow> => {
  const rows = new Map<string, { key: TrafficRow["key"]; amounts: Array<number> }>()
  for (let n = 0; n < count; n++) {
    const country = countryOf(Math.random())
    const carrier = CARRIERS[Math.random() < 0.8 ? 0 : 1] ?? ""
    const name = `${country} ${carrier}`
    const key = { hour, account, mode: "live", channel: "sms", carrier, country } as const
    const row = rows.get(name) ?? { key, amounts: Array.from<number>({ length: AMOUNTS }).fill(0) }
    for (const place of row.amounts.keys()) row.amounts[place] = (row.amounts[place] ?? 0) + 1
    rows.set(name, row)
  }
  return [...rows.values()]
}

const server = engine === "postgres" ? await start() : null
const layer = Layer.provide(
  server === null ? sqlite(join(workFolder(), "traffic.db")) : postgres(server.url),
  ChannelRegistry.layerBuiltIn
)
const runtime = ManagedRuntime.make(layer)
const store = await runtime.runPromise(Store)

let rows = 0
for (let hour = now - days * 24; hour < now; hour++) {
  const added = rowsOf(hour, Math.round(sends / (days * 24)))
  rows += added.length
  await Effect.runPromise(store.addTraffic(added))
}

/** The median in milliseconds. */
const timed = async (work: () => Effect.Effect<unknown, unknown>): Promise<number> => {
  const times: Array<number> = []
  for (let run = 0; run < RUNS; run++) {
    const began = performance.now()
    await Effect.runPromise(work())
    times.push(performance.now() - began)
  }
  return median(times)
}

const query = { since: now - days * 24, until: now + 1, account: null } as const
const read = {
  "by country": await timed(() => store.traffic({ ...query, by: ["mode", "country"] })),
  "by channel, carrier and country": await timed(() =>
    store.traffic({ ...query, by: ["mode", "channel", "carrier", "country"] })
  ),
  "the last day by country": await timed(() => store.traffic({ ...query, since: now - 24, by: ["mode", "country"] }))
}
const flush = rowsOf(now, 1_000)
const add = await timed(() => store.addTraffic(flush))

say(machineLine())
say(`${figure(sends)} sends in ${days} days on ${engine}: ${figure(rows)} rows`)
say(
  table(
    ["what", "ms"],
    [
      ...Object.entries(read).map(([name, time]) => [name, figure(time)]),
      [`adding a flush of ${flush.length} rows`, figure(add)]
    ]
  )
)
writeJson({ engine, sends, days, rows, read, add })
await runtime.dispose()
await server?.stop()
