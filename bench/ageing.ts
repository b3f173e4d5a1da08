/**
 * A constant rate of sends over files that have many records already: how long requests wait, in the first fifteen
 * seconds after a start and after that, how many bytes go to the disk, and how late the event loop is. `--against`
 * measures another commit in turn with this one.
 *
 * Of ten sends nine are texts, each with its receipt, and one is a verification from start to approved, so that eleven
 * requests make ten sends. A clock sends the requests and waits for no answer; a latency counts from the time at which
 * the request was due, that of a check from the answer to its start. The standalone server has the first core for
 * itself, and is cold when the load begins. Load and carrier are on the second, and warm.
 *
 * A file is made once for each commit and number of records: a server of that commit does some sends, and their rows
 * are copied. Each round works on a copy of the file.
 *
 * `npm run bench -- ageing [--against=REF] [--records=100000,1000000] [--rate=1500] [--seconds=60] [--rounds=3]
 * [--json[=file]]`
 */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync
} from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Watchword, startWatchword } from "./peers/systems.ts"
import { age } from "./support/agedFile.ts"
import { checkoutOf } from "./support/checkout.ts"
import { type Client, client } from "./support/http.ts"
import type { Delays } from "./support/loopDelay.ts"
import { LOAD_CORE, ask, cpuOf, end, forkOn, pidOf, stepAside, workFolder } from "./support/processes.ts"
import { undisturbed } from "./support/quiet.ts"
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
import { round } from "./support/rounds.ts"
import { sendSteadily } from "./support/steadyLoad.ts"
import { SECRET, sendText, verify } from "./support/verifications.ts"
import { watchWal } from "./support/walGrowth.ts"

const sizes = (textOption("records") ?? "100000,1000000").split(",").map(Number)
const rate = numberOption("rate", 1_500)
const seconds = numberOption("seconds", 60)
const rounds = numberOption("rounds", 3)
const against = textOption("against")

/** How long a server counts as cold, in seconds. */
const COLD = 15
const CONNECTIONS = 200
/** One send of so many is a verification. */
const VERIFICATION = 10
const pace = { rate, verification: VERIFICATION }
/** The sends whose records are copied into a file. */
const MODELS = { connections: 20, operations: 500 }

/** A commit, and the servers that it has. */
interface Contestant {
  readonly name: string
  readonly root: string | undefined
  readonly folder: string
}

interface Server {
  readonly system: Watchword
  readonly carrier: ChildProcess
  readonly file: string
  readonly delays: string
}

const start = async ({ folder, root }: Contestant, senders?: Watchword["senders"]): Promise<Server> => {
  const carrier = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/smsc.ts"))
  const [ports] = await once(carrier, "message")
  const delays = join(folder, "delays.json")
  const system = await startWatchword(
    { folder, smscPort: ports.smpp, receiptPort: ports.http, requestIds: false },
    {
      args: ["--import", join(import.meta.dirname, "support/loopDelay.ts")],
      env: { VERIFY_SECRET: SECRET, LOG_LEVEL: "error", DELAY_FILE: delays },
      ...(root === undefined ? {} : { root }),
      ...(senders === undefined ? {} : { senders })
    }
  )
  return { system, carrier, file: join(folder, "watchword.db"), delays }
}

const stop = async ({ carrier, system }: Server): Promise<void> => {
  await system.stop()
  await end(carrier)
}

const clientOf = ({ system: { headers, port } }: Server, connections: number): Client =>
  client({ port, headers, connections })

/** Removes the database of a folder. */
const clear = (file: string): void => {
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true })
}

/** A file of each number of records, and who has them. */
interface Files {
  readonly contestant: Contestant
  readonly files: ReadonlyMap<number, string>
  readonly senders: Watchword["senders"]
}

const makeFiles = async (contestant: Contestant): Promise<Files> => {
  const server = await start(contestant)
  const requests = clientOf(server, MODELS.connections)
  const loaded = { system: server.system, client: requests, peer: server.carrier, sent: 0 }
  await round(loaded, sendText, { ...MODELS, operations: MODELS.operations * (VERIFICATION - 1) })
  await round(loaded, verify, MODELS)
  requests.close()
  await stop(server)
  const files = new Map<number, string>()
  for (const records of sizes) {
    const file = join(contestant.folder, `records-${records}.db`)
    copyFileSync(server.file, file)
    age(file, records)
    files.set(records, file)
  }
  clear(server.file)
  return { contestant, files, senders: server.system.senders }
}

/** Copies a file, and waits until the copy is on the disk: no writes of it are left for later. */
const copy = (from: string, to: string): void => {
  clear(to)
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  const file = openSync(to, "r+")
  fsyncSync(file)
  closeSync(file)
}

const delaysSince = async ({ delays, system }: Server): Promise<Delays> => {
  rmSync(delays, { force: true })
  process.kill(pidOfServer(system), "SIGUSR2")
  while (!existsSync(delays)) await sleep(10)
  return JSON.parse(readFileSync(delays, "utf8"))
}

const pidOfServer = ({ pids: [pid = 0] }: Watchword): number => pid

/** Bytes that a process has given to the disk. */
const writtenBy = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "latin1"))?.[1] ?? 0)

const acknowledged = async ({ carrier }: Server): Promise<number> =>
  (await ask<{ readonly acknowledged: number }>(carrier, { about: "watchword" })).acknowledged

const settled = async (server: Server, sent: number): Promise<void> => {
  for (let waited = 0; (await acknowledged(server)) < sent; waited++) {
    if (waited > 600) throw new Error(`${await acknowledged(server)} receipts of ${sent} are acknowledged`)
    await sleep(50)
  }
}

const quantiles = (latencies: ReadonlyArray<number>) => ({
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
  worst: quantile(latencies, 1)
})

/** One start, and the load on it. */
const measure = async (server: Server) => {
  const pid = pidOfServer(server.system)
  const requests = clientOf(server, CONNECTIONS)
  const wal = watchWal(server.file)
  try {
    await delaysSince(server)
    const first = await sendSteadily(requests, { ...pace, seconds: COLD })
    const late = await delaysSince(server)
    wal.take()
    const before = { written: writtenBy(pid), cpu: cpuOf(pid) }
    const rest = await sendSteadily(requests, { ...pace, seconds: Math.max(1, seconds - COLD) })
    await settled(server, first.sends + rest.sends)
    const { bytes, longest } = wal.take()
    const after = await delaysSince(server)
    const cold = quantiles(first.latencies)
    const warm = quantiles(rest.latencies)
    return {
      coldP50: cold.p50,
      coldP99: cold.p99,
      coldWorst: cold.worst,
      coldLate: late.p99,
      p50: warm.p50,
      p99: warm.p99,
      worst: warm.worst,
      late: after.p99,
      latest: after.worst,
      log: bytes / rest.sends,
      longest: longest / 2 ** 20,
      written: (writtenBy(pid) - before.written) / rest.sends,
      cpu: (cpuOf(pid) - before.cpu) / rest.sends
    }
  } finally {
    wal.stop()
    requests.close()
  }
}

type Figures = Awaited<ReturnType<typeof measure>> & { readonly others: number }

const report = (
  results: ReadonlyArray<{ readonly name: string; readonly medians: Readonly<Record<keyof Figures, number>> }>
) =>
  say(
    table(
      [
        "",
        "cold: p50 ms",
        "p99",
        "worst",
        "loop p99",
        "then: p50 ms",
        "p99",
        "worst",
        "loop p99",
        "worst",
        "log, bytes a send",
        "written",
        "longest log, MiB",
        "CPU µs",
        "others"
      ],
      results.map(({ medians: m, name }) => [
        name,
        ...[m.coldP50, m.coldP99, m.coldWorst, m.coldLate, m.p50, m.p99, m.worst, m.late, m.latest].map(figure),
        ...[m.log, m.written, m.longest, m.cpu].map(figure),
        `${m.others.toFixed(0)} %`
      ])
    )
  )

stepAside()
const contestants: ReadonlyArray<Contestant> = [
  { name: "this commit", root: undefined, folder: join(workFolder(), "this") },
  ...(against === null ? [] : [{ name: against, root: checkoutOf(against), folder: join(workFolder(), "that") }])
]
const made: Array<Files> = []
for (const contestant of contestants) {
  mkdirSync(contestant.folder)
  made.push(await makeFiles(contestant))
}
const results = sizes.flatMap((records) =>
  made.map(({ contestant, files, senders }) => ({
    name: `${figure(records)} records, ${contestant.name}`,
    contestant,
    senders,
    file: files.get(records) ?? "",
    rounds: new Array<Figures>()
  }))
)
for (let index = 0; index < rounds; index++) {
  for (const { contestant, file, name, rounds, senders } of results) {
    copy(file, join(contestant.folder, "watchword.db"))
    const server = await start(contestant, senders)
    try {
      rounds.push(await undisturbed([...server.system.pids, pidOf(server.carrier)], () => measure(server), 1))
    } finally {
      await stop(server)
    }
    const { coldP99, log, others, p99 } = rounds.at(-1) ?? medians(rounds)
    say(
      `${name}: p99 ${figure(coldP99)} ms, then ${figure(p99)}; ${figure(log)} bytes of log a send; others ${others.toFixed(0)} %`
    )
  }
}
const summary = results.map(({ name, rounds }) => ({ name, medians: medians(rounds), rounds }))
say(`\n${machineLine()}; ${figure(rate)} sends a second for ${seconds} s, medians of ${rounds} rounds\n`)
report(summary)
writeJson({ bench: "ageing", rate, seconds, sizes, results: summary })
