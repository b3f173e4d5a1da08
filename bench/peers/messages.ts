/**
 * Compares servers that send text messages: they alternate round by round, each with the first core to itself; load
 * and carrier run on the second. A server's PostgreSQL, if it has one, runs on both cores.
 *
 * CPU is the time per message that a server's processes use from the first request until the last receipt is
 * acknowledged.
 */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import {
  LOAD_CORE,
  ask,
  cpuOf,
  cpuOfAll,
  end,
  familyOf,
  forkOn,
  pidOf,
  stepAside,
  workFolder
} from "../support/processes.ts"
import { undisturbed } from "../support/quiet.ts"
import { figure, flag, medians, numberOption, say } from "../support/report.ts"
import type { Result as Load, Task } from "./load.ts"
import type { Received } from "./receiver.ts"
import type { Counts } from "./smsc.ts"
import { type Surroundings, type System, fault } from "./systems.ts"

export const rounds = numberOption("rounds", 5)
export const seconds = numberOption("seconds", 5)
export const connections = numberOption("connections", 50)
export const requestIds = !flag("no-request-ids")
/** Seconds until hardly any code is still being compiled, which would compete for the same core. */
const WARM_UP = numberOption("warm-up", 15)
/** Seconds of load before each round, because a contestant that idles during the others' turns gives up memory. */
const LEAD_IN = numberOption("lead-in", 1)

interface Peers {
  readonly load: ChildProcess
  readonly smsc: ChildProcess
  /** The receiver of webhooks; null if the servers have no endpoint. */
  readonly receiver: ChildProcess | null
}

const pidsOf = ({ load, receiver, smsc }: Peers, { database, pids }: System) => [
  ...pids,
  ...(database === null ? [] : familyOf(database)),
  pidOf(load),
  pidOf(smsc),
  ...(receiver === null ? [] : [pidOf(receiver)])
]

const countsOf = async ({ receiver, smsc }: Peers, { systemId }: System) => ({
  ...(await ask<Counts>(smsc, { about: systemId })),
  ...(receiver === null ? { events: 0 } : await ask<Received>(receiver, { about: systemId }))
})

/**
 * Waits until every message is submitted, every receipt acknowledged and every event taken, or until nothing more
 * happens.
 */
const settled = async (peers: Peers, system: System) => {
  let last = await countsOf(peers, system)
  for (let idle = 0; idle < 20;) {
    await sleep(50)
    const now = await countsOf(peers, system)
    const moved =
      now.submits !== last.submits ||
      now.acknowledged !== last.acknowledged ||
      now.fetched !== last.fetched ||
      now.events !== last.events
    idle = moved ? 0 : idle + 1
    last = now
  }
  return last
}

const IDLE = 20 * 0.05

/** One round of load on one server. */
const round = async (peers: Peers, system: System, duration: number) => {
  const { load, receiver, smsc } = peers
  const { check, database, pids, port, refusal, request, status } = system
  const peerPids = [pidOf(load), pidOf(smsc), ...(receiver === null ? [] : [pidOf(receiver)])]
  const databaseCpu = () => (database === null ? 0 : cpuOfAll(database))
  const before = await countsOf(peers, system)
  const usedBefore = {
    server: cpuOf(...pids),
    database: databaseCpu(),
    peers: cpuOf(...peerPids)
  }
  const startedAt = performance.now()
  const until = { milliseconds: duration * 1000 }
  const task: Task = {
    port,
    request,
    status,
    connections,
    until,
    ...(check === undefined ? {} : { check }),
    ...(refusal === undefined ? {} : { refusal })
  }
  const { answers, refusals, p50, p99, seconds } = await ask<Load>(load, task)
  const during = await countsOf(peers, system)
  const peersUsed = cpuOf(...peerPids) - usedBefore.peers
  const after = await settled(peers, system)
  const drained = (performance.now() - startedAt) / 1000 - IDLE
  const used = cpuOf(...pids) - usedBefore.server
  const submits = after.submits - before.submits
  const accepted = answers - refusals
  if (submits !== accepted) say(`${system.name}: ${accepted} sends accepted and ${submits} messages at the carrier`)
  const receipts = after.acknowledged - before.acknowledged
  if (receipts !== submits) say(`${system.name}: ${submits} messages and ${receipts} receipts acknowledged`)
  return {
    requests: answers / seconds,
    submits: (during.submits - before.submits) / seconds,
    drained: submits / drained,
    cpu: used / answers,
    databaseCpu: (databaseCpu() - usedBefore.database) / answers,
    events: (after.events - before.events) / answers,
    refused: (refusals / answers) * 100,
    p50,
    p99,
    load: (peersUsed / 1e6 / seconds) * 100
  }
}

export type Round = Awaited<ReturnType<typeof round>> & { readonly others: number }

/**
 * Measures servers and checks that no server has lost or duplicated a message.
 *
 * @param beside processes that cooperate with the servers, and therefore do not count as disturbing a round
 * @param receiver the process of peers/receiver.ts that each server's endpoint is at, under the path of its system_id
 * @returns for each server, the medians of its rounds and the rounds
 */
export const compare = async (
  starters: ReadonlyArray<(surroundings: Surroundings) => Promise<System>>,
  beside: ReadonlyArray<number> = [],
  receiver: ChildProcess | null = null
) => {
  stepAside()
  const folder = workFolder()
  const smsc = forkOn(LOAD_CORE, join(import.meta.dirname, "smsc.ts"))
  const [ports] = await once(smsc, "message")
  const load = forkOn(LOAD_CORE, join(import.meta.dirname, "load.ts"))
  await once(load, "message")
  const peers = { load, receiver, smsc }
  const surroundings = { folder, smscPort: ports.smpp, receiptPort: ports.http, requestIds }
  const systems: Array<System> = []
  try {
    for (const start of starters) systems.push(await start(surroundings))
    await sleep(500)
    for (const system of systems) await round(peers, system, WARM_UP)
    const measured = new Map(systems.map(({ name }) => [name, new Array<Round>()]))
    for (let index = 0; index < rounds; index++) {
      for (const system of systems) {
        if (LEAD_IN > 0) await round(peers, system, LEAD_IN)
        const result = await undisturbed([...pidsOf(peers, system), ...beside], () => round(peers, system, seconds))
        measured.get(system.name)?.push(result)
        say(`round ${index + 1}  ${system.name}: ${figure(result.requests)} requests/s, ${figure(result.cpu)} µs`)
      }
    }
    for (const system of systems) {
      const wrong = await fault(system, (await countsOf(peers, system)).submits)
      if (wrong !== null) throw new Error(`${system.name}: ${wrong}`)
    }
    say("Every message is on record as delivered and charged once, in both databases.")
    return [...measured].map(([name, rounds]) => ({ name, ...medians(rounds), rounds }))
  } finally {
    for (const system of systems) await system.stop()
    await end(load)
    await end(smsc)
  }
}
