/**
 * Text messages on a live key, end to end: `POST /v1/sms`, the hold on the disk with `synchronous = FULL`, submit_sm
 * and its answer, the settlement on the disk, 200; and a receipt for every message, stored before it is acknowledged.
 *
 * Three servers do it in turn, round by round, each alone on the first core: the standalone server; one written by
 * hand with Fastify, better-sqlite3 and smpp (bench/rivals/sms), which gives the same guarantees; and Kannel where
 * it is installed, which answers 202 when a message is queued in memory. Load and carrier are on the second core.
 *
 * CPU is what a server's processes use from the first request until the last receipt is acknowledged, for each
 * message. Kannel goes on submitting after the load has ended: `submit/s` counts under load, `drained` all told.
 *
 * `npm run bench -- sms [--rounds=5] [--seconds=5] [--connections=50] [--no-request-ids] [--json[=file]]`
 */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Result as Load, Task } from "./peers/load.ts"
import type { Counts } from "./peers/smsc.ts"
import {
  type Surroundings,
  type System,
  fault,
  kannelVersion,
  rivalLines,
  startKannel,
  startRival,
  startWatchword
} from "./peers/systems.ts"
import { LOAD_CORE, ask, cpuOf, end, forkOn, pidOf, stepAside, workFolder } from "./support/processes.ts"
import { undisturbed } from "./support/quiet.ts"
import { bars, figure, flag, machineLine, medians, numberOption, say, table, writeJson } from "./support/report.ts"

const rounds = numberOption("rounds", 5)
const seconds = numberOption("seconds", 5)
const connections = numberOption("connections", 50)
const requestIds = !flag("no-request-ids")
const WARM_UP = 3

interface Peers {
  readonly load: ChildProcess
  readonly smsc: ChildProcess
}

const pidsOf = ({ load, smsc }: Peers, { pids }: System) => [...pids, pidOf(load), pidOf(smsc)]

const countsOf = ({ smsc }: Peers, { systemId }: System): Promise<Counts> => ask(smsc, { about: systemId })

/** Waits until every message has been submitted and every receipt acknowledged, or nothing happens any more. */
const settled = async (peers: Peers, system: System): Promise<Counts> => {
  let last = await countsOf(peers, system)
  for (let idle = 0; idle < 20;) {
    await sleep(50)
    const now = await countsOf(peers, system)
    const moved = now.submits !== last.submits || now.acknowledged !== last.acknowledged || now.fetched !== last.fetched
    idle = moved ? 0 : idle + 1
    last = now
  }
  return last
}

const IDLE = 20 * 0.05

/** One round of load on one server. */
const round = async (peers: Peers, system: System, duration: number) => {
  const { load, smsc } = peers
  const { pids, port, request, status } = system
  const before = await countsOf(peers, system)
  const usedBefore = { server: cpuOf(...pids), load: cpuOf(pidOf(load)), smsc: cpuOf(pidOf(smsc)) }
  const startedAt = performance.now()
  const task: Task = { port, request, status, connections, until: { milliseconds: duration * 1000 } }
  const { answers, p50, p99, seconds } = await ask<Load>(load, task)
  const during = await countsOf(peers, system)
  const peersUsed = cpuOf(pidOf(load), pidOf(smsc)) - usedBefore.load - usedBefore.smsc
  const after = await settled(peers, system)
  const drained = (performance.now() - startedAt) / 1000 - IDLE
  const used = cpuOf(...pids) - usedBefore.server
  const submits = after.submits - before.submits
  if (submits !== answers) say(`${system.name}: ${answers} answers and ${submits} messages at the carrier`)
  const receipts = after.acknowledged - before.acknowledged
  if (receipts !== submits) say(`${system.name}: ${submits} messages and ${receipts} receipts acknowledged`)
  return {
    requests: answers / seconds,
    submits: (during.submits - before.submits) / seconds,
    drained: submits / drained,
    cpu: used / answers,
    p50,
    p99,
    load: (peersUsed / 1e6 / seconds) * 100
  }
}

type Round = Awaited<ReturnType<typeof round>> & { readonly others: number }

const starters: ReadonlyArray<(surroundings: Surroundings) => Promise<System>> = [
  startWatchword,
  startRival,
  ...(kannelVersion() === null ? [] : [startKannel])
]

const main = async (): Promise<void> => {
  stepAside()
  const folder = workFolder()
  const smsc = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/smsc.ts"))
  const [ports] = await once(smsc, "message")
  const load = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/load.ts"))
  await once(load, "message")
  const peers = { load, smsc }
  const surroundings = { folder, smscPort: ports.smpp, receiptPort: ports.http, requestIds }
  const systems: Array<System> = []
  try {
    for (const start of starters) systems.push(await start(surroundings))
    await sleep(500)
    for (const system of systems) await round(peers, system, WARM_UP)
    const measured = new Map(systems.map(({ name }) => [name, new Array<Round>()]))
    for (let index = 0; index < rounds; index++) {
      for (const system of systems) {
        const result = await undisturbed(pidsOf(peers, system), () => round(peers, system, seconds))
        measured.get(system.name)?.push(result)
        say(`round ${index + 1}  ${system.name}: ${figure(result.requests)} requests/s, ${figure(result.cpu)} µs`)
      }
    }
    for (const system of systems) {
      const wrong = fault(system, (await countsOf(peers, system)).submits)
      if (wrong !== null) throw new Error(`${system.name}: ${wrong}`)
    }
    report(measured)
    say("Every message is on record as delivered and charged once, in both databases.")
  } finally {
    for (const system of systems) await system.stop()
    await end(load)
    await end(smsc)
  }
}

const report = (measured: ReadonlyMap<string, ReadonlyArray<Round>>): void => {
  const results = [...measured].map(([name, rounds]) => ({ name, ...medians(rounds), rounds }))
  const kannel = kannelVersion()
  say(`\n${machineLine()}; ${connections} connections, medians of ${rounds} rounds of ${seconds} s\n`)
  say(
    table(
      ["", "requests/s", "submit/s", "drained/s", "CPU µs", "p50 ms", "p99 ms", "load and carrier", "others"],
      results.map(({ cpu, drained, load, name, others, p50, p99, requests, submits }) => [
        name,
        figure(requests),
        figure(submits),
        figure(drained),
        figure(cpu),
        figure(p50),
        figure(p99),
        `${load.toFixed(0)} % CPU`,
        `${others.toFixed(0)} %`
      ])
    )
  )
  if (kannel === null) say("Kannel was not measured: it is not installed.")
  say(`\nsubmit_sm a second at the carrier, under load\n`)
  say(bars(results.map(({ name, submits }) => ({ name, value: submits }))))
  say(`\nThe server by hand has ${rivalLines()} lines of code and this one endpoint.`)
  writeJson({ bench: "sms", connections, seconds, requestIds, rivalLines: rivalLines(), kannel, results })
}

await main()
