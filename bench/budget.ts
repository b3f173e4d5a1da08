/**
 * CPU time of a request by layer: a bare SMS on a live key, an SMS whose account has an endpoint or limits, a
 * verification by SMS from start to approval (with the default rules and with no rules), and a flash call; each
 * including its receipt or its end, on SQLite, on disk before and after the send. `--against` also measures another
 * commit, alternating with this one round by round.
 *
 * The standalone server has the first core to itself; load, carrier and trunk run on the second. CPU is the time that
 * the server's process uses from the first request until the last receipt or end is acknowledged. The layers come from
 * one additional round under V8's profiler, which measures wall-clock time: the store's share includes waiting for the
 * disk.
 *
 * `npm run bench -- budget [--against=REF] [--only=bare,verification,call] [--rounds=5] [--operations=4000]
 * [--connections=50] [--functions=0] [--write] [--json[=file]]`; `--functions` prints the N functions with the most
 * self time, `--write` puts the table into docs/papers/benchmarks.md.
 */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type System, fault, startWatchword } from "./peers/systems.ts"
import * as Page from "./support/page.ts"
import { checkoutOf } from "./support/checkout.ts"
import { type Condition, endpoint, fiveLimits, noRules } from "./support/conditions.ts"
import { type Origins, type Profile, analyse } from "./support/cpuProfile.ts"
import { type Client, client } from "./support/http.ts"
import { LOAD_CORE, end, forkOn, pidOf, stepAside, workFolder } from "./support/processes.ts"
import { undisturbed } from "./support/quiet.ts"
import {
  figure,
  flag,
  machineLine,
  medians,
  numberOption,
  say,
  table,
  textOption,
  writeJson
} from "./support/report.ts"
import { type Loaded, round } from "./support/rounds.ts"
import { SECRET, flash, sendText, twilioHeaders, verify, verifyByTwilio } from "./support/verifications.ts"

const rounds = numberOption("rounds", 5)
const operations = numberOption("operations", 4_000)
const connections = numberOption("connections", 50)
/** Rounds until hardly any code is still being compiled. */
const WARM_UP = numberOption("warm-up", 4)
const functions = numberOption("functions", 0)
const only = textOption("only")?.split(",") ?? null
const against = textOption("against")

/** A place belongs to the first entry that matches it or one of its callers. */
const layers: Origins = [
  ["gateway", /packages\/(gateway|sms\/src\/(internal\/)?(smpp|http)|call\/src\/internal\/sip)|node_modules\/smpp/],
  ["store", /adapters\/store-|better-sqlite3|packages\/(store|store-sql)\//],
  ["host", /adapters\/node|node:_http|node:internal\/http/],
  ["server", /packages\/(server|api|schemas|pagination)\/|libphonenumber|effect\/[^:]*\/(http|http-api|schema|Schema)/],
  ["auth", /packages\/auth/],
  ["guards", /packages\/guards/],
  ["events", /packages\/events/],
  ["settings", /packages\/settings/],
  ["send", /packages\/(send|ledger|records)\//],
  ["verify", /packages\/verify/],
  ["channel", /packages\/(channel|sms|call|chatgw|bizchat)\//],
  ["Effect", /node_modules\/(\.pnpm\/)?effect/],
  ["Node", /^node:/]
]

/** Layer names as the table shows them, in the order of a request. */
const NAMES = [
  ..."host server auth channel guards events settings send verify store gateway Effect Node".split(" "),
  "sockets, streams, timers of Node",
  "native, outside of JavaScript",
  "garbage collection",
  "other packages"
]

interface Scenario {
  readonly name: string
  readonly operate: (client: Client) => Promise<unknown>
  /** Makes the headers of its requests from the headers of our own interface, which are used if it is not given. */
  readonly headersOf?: (own: Readonly<Record<string, string>>) => Readonly<Record<string, string>>
  readonly prepare?: Condition
}

const receiver = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/receiver.ts"))
const [receiverPort] = await once(receiver, "message")

const scenarios: ReadonlyArray<Scenario> = [
  { name: "bare", operate: sendText },
  { name: "endpoint", operate: sendText, prepare: endpoint(receiverPort) },
  { name: "five limits", operate: sendText, prepare: fiveLimits },
  { name: "verification", operate: verify },
  { name: "verification endpoint", operate: verify, prepare: endpoint(receiverPort) },
  { name: "verification without rules", operate: verify, prepare: noRules },
  { name: "verification at Twilio's door", operate: verifyByTwilio, headersOf: twilioHeaders },
  { name: "call", operate: flash }
]

/** A server being measured. */
interface Contestant extends Loaded {
  readonly system: System
  readonly name: string
  readonly profile: string
  readonly peers: ReadonlyArray<ChildProcess>
}

/** The work of each round. */
const load = { connections, operations }

const start = async (name: string, root: string | undefined, scenario: Scenario): Promise<Contestant> => {
  const folder = join(workFolder(), name)
  mkdirSync(folder)
  const smsc = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/smsc.ts"))
  const [ports] = await once(smsc, "message")
  const trunk = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/trunk.ts"))
  const [{ port }] = await once(trunk, "message")
  const profile = join(folder, "profile.json")
  const starting = startWatchword(
    { folder, smscPort: ports.smpp, receiptPort: ports.http, requestIds: false },
    {
      args: ["--import", join(import.meta.dirname, "support/profiler.ts")],
      env: {
        VERIFY_SECRET: SECRET,
        DOORS: "twilio",
        PROFILE_FILE: profile,
        WEBHOOK_ALLOW_PRIVATE: "true",
        LOG_LEVEL: "error",
        SIP_URL: `sip:bench:secret@127.0.0.1:${port};keepalive=0`
      },
      prepare: (operate, account) => scenario.prepare?.(operate, account, folder),
      ...(root === undefined ? {} : { root })
    }
  )
  const system = await starting.catch(async (error: unknown) => {
    await end(smsc)
    await end(trunk)
    throw error
  })
  const headers = (scenario.headersOf ?? ((own) => own))(system.headers)
  const requests = client({ port: system.port, headers, connections })
  const peer = scenario.operate === flash ? trunk : smsc
  return { name, system, client: requests, peer, peers: [smsc, trunk], profile, sent: 0 }
}

const stop = async ({ client, peers, system }: Contestant): Promise<void> => {
  client.close()
  await system.stop()
  for (const peer of peers) await end(peer)
}

const pidOfServer = ({ system }: Contestant): number => system.pids[0] ?? 0

/** Microseconds per request by layer, from one round under the profiler. */
const profiled = async (contestant: Contestant, operate: Scenario["operate"]): Promise<ReadonlyMap<string, number>> => {
  const pid = pidOfServer(contestant)
  process.kill(pid, "SIGUSR2")
  await sleep(200)
  await round(contestant, operate, load)
  process.kill(pid, "SIGUSR2")
  while (!existsSync(contestant.profile)) await sleep(50)
  const profile: Profile = JSON.parse(readFileSync(contestant.profile, "utf8"))
  rmSync(contestant.profile)
  const analysed = analyse(profile, layers)
  const slowest = analysed.functions.toSorted(([, a], [, b]) => b.time - a.time).slice(0, functions)
  if (functions > 0) say(table(["µs", "layer", "function"], slowest.map(rowOf)))
  return new Map(analysed.groups.map(([name, time]) => [name, time / operations]))
}

const rowOf = ([name, { origin, time }]: readonly [string, { readonly time: number; readonly origin: string }]) => [
  figure(time / operations),
  origin,
  name
]

type Round = Awaited<ReturnType<typeof round>> & { readonly others: number }

interface Result {
  readonly scenario: string
  readonly contestant: string
  readonly medians: Readonly<Record<keyof Round, number>>
  readonly rounds: ReadonlyArray<Round>
  readonly layers: ReadonlyMap<string, number>
}

/** Starts the servers to measure in one scenario; leaves out a commit that does not support the scenario. */
const startAll = async (scenario: Scenario, other: string | undefined): Promise<ReadonlyArray<Contestant>> => {
  const own = await start("this commit", undefined, scenario)
  if (other === undefined || against === null) return [own]
  const rival = await start(against, other, scenario).catch(() => null)
  if (rival !== null && (await isTaken(rival, scenario))) return [own, rival]
  if (rival !== null) await stop(rival)
  say(`${scenario.name}: ${against} has none.`)
  return [own]
}

/** Whether a server accepts a scenario's request. */
const isTaken = async (contestant: Contestant, { operate }: Scenario): Promise<boolean> => {
  try {
    await operate(contestant.client)
    contestant.sent++
    return true
  } catch {
    return false
  }
}

const measure = async (scenario: Scenario, other: string | undefined): Promise<ReadonlyArray<Result>> => {
  const contestants = await startAll(scenario, other)
  try {
    const measured = contestants.map((contestant) => ({ contestant, rounds: new Array<Round>() }))
    for (let index = 0; index < WARM_UP; index++) {
      for (const { contestant } of measured) await round(contestant, scenario.operate, load)
    }
    for (let index = 0; index < rounds; index++) {
      for (const { contestant, rounds } of measured) {
        const pids = [...contestant.system.pids, ...contestant.peers.map(pidOf), pidOf(receiver)]
        rounds.push(await undisturbed(pids, () => round(contestant, scenario.operate, load)))
      }
    }
    const results = new Array<Result>()
    for (const { contestant, rounds } of measured) {
      const layers = await profiled(contestant, scenario.operate)
      const wrong = await fault(contestant.system, contestant.sent)
      if (wrong !== null && scenario.operate === sendText) throw new Error(`${contestant.name}: ${wrong}`)
      const { name } = contestant
      results.push({ scenario: scenario.name, contestant: name, medians: medians(rounds), rounds, layers })
      say(`${scenario.name}, ${name}: ${rounds.map(({ cpu }) => figure(cpu)).join(" · ")} µs`)
    }
    return results
  } finally {
    for (const contestant of contestants) await stop(contestant)
  }
}

/** Rows are layers; each scenario and commit has a column. */
const columnsOf = (results: ReadonlyArray<Result>) => ({
  headings: [
    "",
    ...results.map(({ contestant, scenario }) => (against === null ? scenario : `${scenario}, ${contestant}`))
  ],
  rows: [
    ["CPU, µs", ...results.map(({ medians }) => figure(medians.cpu))],
    ["requests/s", ...results.map(({ medians }) => figure(medians.perSecond))],
    ["p99, ms", ...results.map(({ medians }) => figure(medians.p99))],
    ...NAMES.filter((name) => results.some(({ layers }) => layers.has(name))).map((name) => [
      name,
      ...results.map(({ layers }) => figure(layers.get(name) ?? 0))
    ])
  ]
})

const writeTable = ({ headings, rows }: ReturnType<typeof columnsOf>): void => {
  const lines = [headings, headings.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`)
  Page.write("budget", `Commit ${Page.commit()}; ${machineLine()}.\n\n${lines.join("\n")}`)
}

stepAside()
try {
  const other = against === null ? undefined : checkoutOf(against)
  const results = new Array<Result>()
  for (const scenario of scenarios) {
    if (only === null || only.includes(scenario.name)) results.push(...(await measure(scenario, other)))
  }
  const columns = columnsOf(results)
  say(`\n${machineLine()}; ${connections} connections, medians of ${rounds} rounds of ${figure(operations)}\n`)
  say(table(columns.headings, columns.rows))
  if (flag("write")) writeTable(columns)
  writeJson({
    bench: "budget",
    connections,
    operations,
    results: results.map((result) => ({ ...result, layers: Object.fromEntries(result.layers) }))
  })
} finally {
  await end(receiver)
}
