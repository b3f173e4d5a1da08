/**
 * Where the standalone server spends its time under the load of `sms`: a CPU profile of many sends with their receipts,
 * by origin and by function; with `--rival`, the profile of the hand-written server. The profile is kept for Chrome's
 * DevTools. It measures wall-clock time, which includes waits for the disk, in `transact` of the group commit or
 * `commit` of the rival, and the time of other processes.
 *
 * `npm run bench -- profile [--rival] [--sends=60000] [--connections=50] [--top=40] [--json[=file]]`
 */
import { once } from "node:events"
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Result as Load, Task } from "./peers/load.ts"
import type { Counts } from "./peers/smsc.ts"
import { startRival, startWatchword } from "./peers/systems.ts"
import { type Origins, analyse } from "./support/cpuProfile.ts"
import { LOAD_CORE, ask, cpuOf, end, forkOn, stepAside } from "./support/processes.ts"
import { figure, flag, machineLine, numberOption, say, table, writeJson } from "./support/report.ts"

const sends = numberOption("sends", 60_000)
const connections = numberOption("connections", 50)
const top = numberOption("top", 40)
const INTERVAL = 500

/** Runs the load and returns the profile's file and the CPU time of the server's process meanwhile. */
const record = async (folder: string): Promise<{ readonly file: string; readonly cpu: number }> => {
  const smsc = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/smsc.ts"))
  const [ports] = await once(smsc, "message")
  const load = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/load.ts"))
  await once(load, "message")
  const system = await (flag("rival") ? startRival : startWatchword)(
    { folder, smscPort: ports.smpp, receiptPort: ports.http, requestIds: true },
    { args: ["--cpu-prof", `--cpu-prof-interval=${INTERVAL}`, `--cpu-prof-dir=${folder}`] }
  )
  await sleep(500)
  const { pids, port, request, status } = system
  const before = cpuOf(...pids)
  const task: Task = { port, request, status, connections, until: { answers: sends } }
  const { answers } = await ask<Load>(load, task)
  while ((await ask<Counts>(smsc, { about: system.systemId })).acknowledged < answers) await sleep(50)
  const cpu = (cpuOf(...pids) - before) / answers
  await system.stop()
  await end(load)
  await end(smsc)
  const file = readdirSync(folder).find((name) => name.endsWith(".cpuprofile"))
  if (file === undefined) throw new Error("the server wrote no profile")
  return { file: join(folder, file), cpu }
}

/** A place belongs to the first entry that matches it or one of its callers. */
const origins: Origins = [
  ["SQLite", /better-sqlite3/],
  ["store-sqlite, its JavaScript", /adapters\/store-sqlite/],
  ["libphonenumber", /libphonenumber/],
  ["SHA-256 (noble)", /@noble/],
  ["ULID", /node_modules\/ulid/],
  ["SMPP: codec of the package", /node_modules\/smpp/],
  ["SMPP: client and its socket", /packages\/sms\/src\/smpp/],
  [
    "schema decode, encode, checks",
    /effect\/[^:]*(Schema|SchemaAST|SchemaParser|SchemaIssue|SchemaGetter|SchemaTransformation)/
  ],
  ["Effect http, http-api", /effect\/[^:]*\/(http|http-api|unstable\/http\w*)\//],
  ["Effect runtime", /node_modules\/effect\//],
  ["packages/server", /packages\/server/],
  ["packages/api", /packages\/api/],
  ["packages/auth", /packages\/auth/],
  ["packages/send", /packages\/send/],
  ["packages/sms", /packages\/sms/],
  ["packages/schemas", /packages\/schemas/],
  ["packages/store", /packages\/store/],
  ["packages/ledger", /packages\/ledger/],
  ["HTTP: parsing and writing", /node:_http|node:internal\/http|adapters\/node/],
  ["sockets, streams, timers of Node", /^node:/],
  ["the rival's store", /rivals\/sms\/store/],
  ["the rival's carrier", /rivals\/sms\/carrier/],
  ["the rival's server", /rivals\/sms/],
  ["Fastify", /fastify|find-my-way|ajv|secure-json-parse|avvio/],
  ["other packages", /./]
]

const folder = mkdtempSync(join(tmpdir(), "watchword-profile-"))
stepAside()
const { cpu, file } = await record(folder)
const { busy, functions, groups } = analyse(JSON.parse(readFileSync(file, "utf8")), origins)
const share = (time: number): string => `${((time / busy) * 100).toFixed(1)} %`
const microseconds = (time: number): string => figure(time / sends)

say(`${machineLine()}; ${figure(sends)} sends, ${figure(cpu)} µs CPU each; profiled time a send, start included\n`)
say(
  table(
    ["origin", "µs a send", "share"],
    groups.toSorted(([, a], [, b]) => b - a).map(([origin, time]) => [origin, microseconds(time), share(time)])
  )
)
const rows = functions
  .filter(([name]) => !name.startsWith("(idle)"))
  .toSorted(([, a], [, b]) => b.time - a.time)
  .slice(0, top)
say(`\nThe first ${top} by self time\n`)
say(
  table(
    ["function", "µs a send", "share", "origin"],
    rows.map(([name, { origin, time }]) => [name, microseconds(time), share(time), origin])
  )
)
say(`\nThe profile is ${file}.`)
for (const name of readdirSync(folder))
  if (!name.endsWith(".cpuprofile")) rmSync(join(folder, name), { recursive: true })
writeJson({ bench: "profile", sends, cpu, groups: Object.fromEntries(groups), functions: Object.fromEntries(rows) })
