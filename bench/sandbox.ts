/**
 * The standalone server on a sandbox key: key, checks, records in SQLite with `synchronous = FULL` and receipts a
 * second later, but no carrier and no money. It is compared with one JSON route on bare `node:http` and one on
 * Fastify, which shows how much CPU Watchword adds to the bare request.
 *
 * `--against` also measures another commit's server.
 *
 * `npm run bench -- sandbox [--against=REF] [--rounds=5] [--seconds=4] [--connections=50] [--json[=file]]`
 */
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Result as Load, Task } from "./peers/load.ts"
import { type System, startRoute, startWatchword } from "./peers/systems.ts"
import { checkoutOf } from "./support/checkout.ts"
import { LOAD_CORE, ask, cpuOf, end, forkOn, pidOf, stepAside, workFolder } from "./support/processes.ts"
import { undisturbed } from "./support/quiet.ts"
import {
  bars,
  figure,
  machineLine,
  medians,
  numberOption,
  say,
  table,
  textOption,
  writeJson
} from "./support/report.ts"

const rounds = numberOption("rounds", 5)
const seconds = numberOption("seconds", 4)
const connections = numberOption("connections", 50)
const against = textOption("against")
/** Seconds until hardly any code is still being compiled, which would compete for the same core. */
const WARM_UP = numberOption("warm-up", 15)
/** The sandbox's receipts come a second after the answers. */
const RECEIPTS = 1_500

stepAside()
const folder = workFolder()
const load = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/load.ts"))
await once(load, "message")

const round = async ({ pids, port, request, status }: System, duration: number) => {
  const before = { server: cpuOf(...pids), load: cpuOf(pidOf(load)) }
  const task: Task = { port, request, status, connections, until: { milliseconds: duration * 1000 } }
  const { answers, p50, p99, seconds } = await ask<Load>(load, task)
  const loaded = cpuOf(pidOf(load)) - before.load
  await sleep(RECEIPTS)
  return {
    requests: answers / seconds,
    cpu: (cpuOf(...pids) - before.server) / answers,
    p50,
    p99,
    load: (loaded / 1e6 / seconds) * 100
  }
}

type Round = Awaited<ReturnType<typeof round>> & { readonly others: number }

const startOther = async (ref: string): Promise<System> => {
  const own = join(folder, "other")
  mkdirSync(own)
  const system = await startWatchword({ ...surroundings, folder: own }, { sandbox: true, root: checkoutOf(ref) })
  return { ...system, name: `Watchword, ${ref}` }
}

/** Several accounts, because each may have only a limited number of sandbox sends in progress. */
const surroundings = { folder, accounts: 6, smscPort: 0, receiptPort: 0, requestIds: false }
const systems = [
  await startRoute("node"),
  await startRoute("fastify"),
  await startWatchword(surroundings, { sandbox: true }),
  ...(against === null ? [] : [await startOther(against)])
]
try {
  for (const system of systems) await round(system, WARM_UP)
  const measured = systems.map((system) => ({ system, rounds: new Array<Round>() }))
  for (let index = 0; index < rounds; index++) {
    for (const { rounds, system } of measured) {
      rounds.push(await undisturbed([...system.pids, pidOf(load)], () => round(system, seconds)))
    }
  }
  const results = measured.map(({ rounds, system: { name } }) => ({ name, ...medians(rounds), rounds }))
  const [bare] = results
  say(`${machineLine()}; ${connections} connections, medians of ${rounds} rounds of ${seconds} s\n`)
  say(
    table(
      ["", "requests/s", "CPU µs", "more than bare", "p50 ms", "p99 ms", "load", "others"],
      results.map(({ cpu, load, name, others, p50, p99, requests }) => [
        name,
        figure(requests),
        figure(cpu),
        `${figure(cpu - (bare?.cpu ?? 0))} µs`,
        figure(p50),
        figure(p99),
        `${load.toFixed(0)} % CPU`,
        `${others.toFixed(0)} %`
      ])
    )
  )
  say(`\nCPU µs a request\n`)
  say(bars(results.map(({ cpu, name }) => ({ name, value: cpu }))))
  writeJson({ bench: "sandbox", connections, seconds, results })
} finally {
  for (const system of systems) await system.stop()
  await end(load)
}
