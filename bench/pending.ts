/**
 * Many pending verifications: the time in which a server starts on them, its CPU before any step is due, and how late
 * the steps are when they are due evenly over the life of the codes.
 *
 * Each verification has had its first text and waits for its second. The files are made by copying the records of some
 * verifications that a server has started.
 *
 * `npm run bench -- pending [--pending=0,10000,1000000] [--life=900] [--rest=10] [--seconds=30] [--rounds=3]
 * [--json[=file]]`: the steps are due over `--life` seconds, of which `--seconds` are measured.
 */
import { once } from "node:events"
import { copyFileSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Watchword, startWatchword } from "./peers/systems.ts"
import { client } from "./support/http.ts"
import { LOAD_CORE, cpuOf, end, forkOn, stepAside, workFolder } from "./support/processes.ts"
import {
  figure,
  machineLine,
  medians,
  numberOption,
  quantile,
  say,
  table,
  textOption,
  writeJson
} from "./support/report.ts"
import { noRules } from "./support/conditions.ts"
import { SECRET, startTwoTexts } from "./support/verifications.ts"
import { lateness, plannedUntil, spread, wait } from "./support/waitingFile.ts"

const sizes = (textOption("pending") ?? "0,10000,1000000").split(",").map(Number)
const life = numberOption("life", 900)
const rest = numberOption("rest", 10)
const seconds = numberOption("seconds", 30)
const rounds = numberOption("rounds", 3)

/** The verifications whose records are copied. */
const MODELS = 100
/** After so many seconds a server that has started does nothing more for its start. */
const SETTLED = 3

const folder = join(workFolder(), "server")
const database = join(folder, "watchword.db")

const start = async (senders?: Watchword["senders"]) => {
  const carrier = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/smsc.ts"))
  const [ports] = await once(carrier, "message")
  const began = performance.now()
  const system = await startWatchword(
    { folder, smscPort: ports.smpp, receiptPort: ports.http, requestIds: false },
    {
      env: { VERIFY_SECRET: SECRET, LOG_LEVEL: "error" },
      // No one enters the codes of these verifications.
      prepare: (operate, account) => noRules(operate, account, folder),
      ...(senders === undefined ? {} : { senders })
    }
  )
  return { system, carrier, milliseconds: performance.now() - began }
}

type Server = Awaited<ReturnType<typeof start>>

const stop = async ({ carrier, system }: Server): Promise<void> => {
  await system.stop()
  await end(carrier)
}

const clear = (): void => {
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${database}${ending}`, { force: true })
}

const cpuAtRest = async ({ system: { pids } }: Server): Promise<number> => {
  await sleep(SETTLED * 1000)
  const before = cpuOf(...pids)
  await sleep(rest * 1000)
  return (cpuOf(...pids) - before) / rest
}

/** Milliseconds after which the first step is due: the copy has its times by then, and the server has rested. */
const AHEAD = 1000 * (10 + SETTLED + rest)

const measure = async (file: string, pending: number, senders: Watchword["senders"]) => {
  clear()
  copyFileSync(file, database)
  const from = Date.now() + AHEAD + pending / 50
  spread(database, { from, seconds: life })
  const until = from + seconds * 1000
  const planned = plannedUntil(database, until)
  const server = await start(senders)
  try {
    const cpu = await cpuAtRest(server)
    if (Date.now() > from) throw new Error("the steps were due before the server had rested")
    const before = cpuOf(...server.system.pids)
    await sleep(until - Date.now() + 5_000)
    const used = (cpuOf(...server.system.pids) - before) / 1e6 / ((Date.now() - from) / 1000)
    const late = lateness(database, { until, planned })
    return {
      start: server.milliseconds,
      rest: cpu,
      p50: late.length === 0 ? 0 : quantile(late, 0.5),
      p99: late.length === 0 ? 0 : quantile(late, 0.99),
      steps: late.length / seconds,
      core: used * 100
    }
  } finally {
    await stop(server)
  }
}

stepAside()
mkdirSync(folder)
const first = await start()
const requests = client({ port: first.system.port, headers: first.system.headers, connections: 10 })
for (let index = 0; index < MODELS; index++) await startTwoTexts(requests)
await sleep(2_000)
requests.close()
await stop(first)
const senders = first.system.senders
const files = new Map(
  sizes.map((pending) => {
    const file = join(folder, `pending-${pending}.db`)
    copyFileSync(database, file)
    wait(file, pending)
    return [pending, file]
  })
)
const results = sizes.map((pending) => ({ pending, rounds: new Array<Awaited<ReturnType<typeof measure>>>() }))
for (let index = 0; index < rounds; index++) {
  for (const { pending, rounds } of results) {
    rounds.push(await measure(files.get(pending) ?? "", pending, senders))
    say(`${figure(pending)} pending: ${JSON.stringify(rounds.at(-1))}`)
  }
}
const summary = results.map(({ pending, rounds }) => ({ pending, ...medians(rounds), rounds }))
say(`\n${machineLine()}; steps due over ${life} s, ${seconds} s of them, medians of ${rounds} rounds\n`)
say(
  table(
    ["pending", "start ms", "CPU at rest, µs a second", "steps/s", "late: p50 ms", "p99 ms", "share of a core, %"],
    summary.map(({ core, p50, p99, pending, rest, start, steps }) =>
      [pending, start, rest, steps, p50, p99, core].map(figure)
    )
  )
)
writeJson({ bench: "pending", life, rest, seconds, results: summary })
