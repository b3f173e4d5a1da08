/**
 * Texts on a live key under bad conditions, each with events for an endpoint: ten times the rate for a second, a disk
 * whose syncs take 20 ms, a carrier that answers after 200 ms, an endpoint that answers after 100 ms, and an outbox
 * full of events that the endpoint refuses. For comparison, the same rate under good conditions.
 *
 * Requests come at fixed times, without waiting for answers; latency counts from the time at which a request was due.
 * `added` is the median that a condition adds, and `expected` the delay that it puts into a request: a send waits for
 * two syncs, each of which may have to wait for an earlier one. `peak` is the highest resident memory, which may exceed
 * that under good conditions by `MEMORY`.
 *
 * After each row every accepted text must be at the carrier once, on record as delivered and charged once, with one
 * event of its delivery; the endpoint must have every event once, unless it refuses them; and the audit of the database
 * must find nothing. A loss ends the run with 1.
 *
 * `npm run bench -- hard [--rate=100] [--seconds=5] [--backlog=2000] [--only=calm,burst,disk,carrier,endpoint,outbox]
 * [--json[=file]]`
 */
import Sqlite from "better-sqlite3"
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Result as Load, Task } from "./peers/load.ts"
import type { Received } from "./peers/receiver.ts"
import type { Counts } from "./peers/smsc.ts"
import { type Operate, fault, startWatchword } from "./peers/systems.ts"
import { endpoint } from "./support/conditions.ts"
import { LOAD_CORE, ask, end, forkOn, peakOf, stepAside, workFolder } from "./support/processes.ts"
import { figure, machineLine, numberOption, say, table, textOption, writeJson } from "./support/report.ts"

const rate = numberOption("rate", 100)
const seconds = numberOption("seconds", 5)
const backlog = numberOption("backlog", 2_000)
const only = textOption("only")?.split(",") ?? null
const MIB = 2 ** 20
/** The most memory, in MiB, that a condition may take in addition. */
const MEMORY = 150
const CONNECTIONS = 500
const SYNC_TAKES = 20
const CARRIER_TAKES = 200
const ENDPOINT_TAKES = 100
/** Texts until most code is compiled. */
const WARM_UP = 300
/** How often, in a row, nothing may happen until a loss is certain: ten seconds. */
const MOST_LOOKS = 200

interface Condition {
  readonly key: string
  readonly name: string
  /** Milliseconds that it adds to a request; null if that depends on the machine. */
  readonly expected: number | null
  readonly rate?: number
  readonly seconds?: number
  readonly args?: ReadonlyArray<string>
  readonly carrier?: NodeJS.ProcessEnv
  readonly receiver?: NodeJS.ProcessEnv
  /** Texts before the measurement, whose events the endpoint refuses. */
  readonly backlog?: number
}

const conditions: ReadonlyArray<Condition> = [
  { key: "calm", name: "good conditions", expected: 0 },
  { key: "burst", name: "ten times the rate for a second", expected: null, rate: 10 * rate, seconds: 1 },
  {
    key: "disk",
    name: `syncs of ${SYNC_TAKES} ms`,
    expected: 3 * SYNC_TAKES,
    args: ["--import", join(import.meta.dirname, "support/slowDisk.ts")]
  },
  {
    key: "carrier",
    name: `a carrier that answers after ${CARRIER_TAKES} ms`,
    expected: CARRIER_TAKES,
    carrier: { ANSWER_AFTER: String(CARRIER_TAKES) }
  },
  {
    key: "endpoint",
    name: `an endpoint that answers after ${ENDPOINT_TAKES} ms`,
    expected: 0,
    receiver: { ANSWER_AFTER: String(ENDPOINT_TAKES) }
  },
  { key: "outbox", name: "a full outbox", expected: 0, receiver: { STATUS: "503" }, backlog }
]

const measure = async (condition: Condition) => {
  const folder = join(workFolder(), condition.key)
  mkdirSync(folder)
  const smsc = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/smsc.ts"), { env: condition.carrier ?? {} })
  const [ports] = await once(smsc, "message")
  const receiver = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/receiver.ts"), { env: condition.receiver ?? {} })
  const [receiverPort] = await once(receiver, "message")
  const load = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/load.ts"))
  await once(load, "message")
  let operator: Operate | undefined
  const system = await startWatchword(
    { folder, smscPort: ports.smpp, receiptPort: ports.http, requestIds: false },
    {
      args: condition.args ?? [],
      env: { WEBHOOK_ALLOW_PRIVATE: "true", SYNC_TAKES: String(SYNC_TAKES) },
      prepare: (operate, account) => {
        operator = operate
        endpoint(receiverPort)(operate, account, folder)
      }
    }
  )
  const [pid = 0] = system.pids
  const { port, records, request, status, systemId } = system
  let sent = 0
  const send = async (perSecond: number | null, until: Task["until"]): Promise<Load> => {
    const connections = perSecond === null ? 50 : CONNECTIONS
    const task: Task = { port, request, status, connections, until, ...(perSecond === null ? {} : { rate: perSecond }) }
    const result = await ask<Load>(load, task)
    sent += result.answers
    return result
  }

  /** The loss, in words; null once every text is delivered and every event on record, and taken if it can be. */
  const loss = async (): Promise<string | null> => {
    const { acknowledged, submits } = await ask<Counts>(smsc, { about: systemId })
    const { events: taken } = await ask<Received>(receiver, { about: "" })
    const { deliveries, written } = eventsIn(records?.address ?? "")
    const owed = condition.receiver?.["STATUS"] === undefined ? written : 0
    if (submits === sent && acknowledged === sent && deliveries === sent && taken === owed) return null
    return (
      `${sent} accepted, ${submits} submitted, ${acknowledged} receipts, ` +
      `${written} events written, ${deliveries} of a delivery, ${taken} taken`
    )
  }

  const settled = async (): Promise<string | null> => {
    let last = await loss()
    for (let looks = 0; last !== null && looks < MOST_LOOKS;) {
      await sleep(50)
      const now = await loss()
      looks = now === last ? looks + 1 : 0
      last = now
    }
    return last ?? (await fault(system, sent))
  }

  try {
    await send(null, { answers: WARM_UP })
    if (condition.backlog !== undefined) await send(null, { answers: condition.backlog })
    await send(rate, { milliseconds: 1_000 })
    peakOf(pid)
    const milliseconds = (condition.seconds ?? seconds) * 1_000
    const { answers, p50, p99 } = await send(condition.rate ?? rate, { milliseconds })
    const lost = await settled()
    const peak = peakOf(pid) / MIB
    const violations = lost === null ? auditOf(operator) : lost
    say(`${condition.name}: ${figure(p50)} and ${figure(p99)} ms${violations === null ? "" : `, ${violations}`}`)
    return { ...condition, answers, p50, p99, peak, lost: violations }
  } finally {
    await system.stop()
    await end(load)
    await end(receiver)
    await end(smsc)
  }
}

/** A receipt that is stored before the carrier's answer leaves a text with one event, that of its delivery. */
const EVENTS = `SELECT count(*) AS written, count(*) FILTER (WHERE event LIKE '%"status":"delivered"%') AS deliveries
  FROM events`

interface Events {
  readonly written: number
  readonly deliveries: number
}

const eventsIn = (address: string): Events => {
  const db = new Sqlite(address, { readonly: true })
  try {
    return db.prepare<[], Events>(EVENTS).get() ?? { written: 0, deliveries: 0 }
  } finally {
    db.close()
  }
}

/** The violations that `watchword audit` finds in the database; null if every rule holds. */
const auditOf = (operate: Operate | undefined): string | null => {
  try {
    if (operate === undefined) return "no audit was made"
    operate("audit")
    return null
  } catch (error) {
    // The command prints each violation, and exits with 1.
    const printed = error instanceof Error && "stdout" in error ? String(error.stdout).trim() : ""
    return printed === "" ? String(error) : `audit: ${printed}`
  }
}

stepAside()
const results: Array<Awaited<ReturnType<typeof measure>>> = []
for (const condition of conditions) {
  if (only === null || condition.key === "calm" || only.includes(condition.key)) results.push(await measure(condition))
}
const [calm] = results
if (calm === undefined) throw new Error("no row was measured")
say(`\n${machineLine()}; ${rate} texts a second\n`)
say(
  table(
    ["", "answers", "p50 ms", "p99 ms", "added", "expected", "peak MiB", "memory", "records"],
    results.map(({ answers, expected, lost, name, p50, p99, peak }) => [
      name,
      figure(answers),
      figure(p50),
      figure(p99),
      figure(p50 - calm.p50),
      expected === null ? "–" : figure(expected),
      figure(peak),
      peak <= calm.peak + MEMORY ? "bounded" : "grows",
      lost ?? "complete"
    ])
  )
)
if (results.some(({ lost }) => lost !== null)) process.exitCode = 1
writeJson({ bench: "hard", rate, seconds, backlog, results })
