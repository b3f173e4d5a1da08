/**
 * Memory of the standalone server before and after many sends on a live key, each with its receipt: whether it grows
 * with the number of sends. Heap is the memory in use after a garbage collection; the peak is the highest resident
 * memory since the row before. With `--pending` the last row has so many pending verifications in addition.
 * `--against` measures another commit after this one, and prints both.
 *
 * `npm run bench -- memory [--against=REF] [--sends=200000] [--steps=5] [--pending=0] [--warm-up=100000]
 * [--connections=50] [--json[=file]]`; a million with `--sends=1e6`.
 */
import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Result as Load, Task } from "./peers/load.ts"
import type { Counts } from "./peers/smsc.ts"
import { type Watchword, startWatchword, verificationOf } from "./peers/systems.ts"
import { checkoutOf } from "./support/checkout.ts"
import { LOAD_CORE, ask, end, forkOn, peakOf, residentOf, stepAside, workFolder } from "./support/processes.ts"
import { figure, machineLine, numberOption, say, table, textOption, writeJson } from "./support/report.ts"
import { SECRET } from "./support/verifications.ts"

const sends = numberOption("sends", 200_000)
const steps = numberOption("steps", 5)
const pending = textOption("pending") === null ? 0 : numberOption("pending", 0)
const connections = numberOption("connections", 50)
const against = textOption("against")
const MIB = 2 ** 20
/** After this many sends the store's buffers, caches, compiled code and the heap's own layout have settled. */
const WARM_UP = numberOption("warm-up", 100_000)
const GROWTH = 1.1

// Loaded into the server before everything else: reports its heap on SIGUSR2.
const PROBE = `
import { writeFileSync } from "node:fs"
process.on("SIGUSR2", () => {
  globalThis.gc()
  globalThis.gc()
  writeFileSync(process.env.HEAP_FILE, JSON.stringify({ ...process.memoryUsage(), at: Date.now() }))
})
`

interface Row {
  readonly commit: string
  readonly after: string
  /** MiB; resident memory just before the garbage collection, and after it. */
  readonly heap: number
  readonly peak: number
  readonly resident: number
  readonly collected: number
}

/** Measures the server of one checkout. */
const measured = async (commit: string, root: string | undefined): Promise<ReadonlyArray<Row>> => {
  const folder = join(workFolder(), "server")
  mkdirSync(folder)
  const heapFile = join(folder, "heap.json")
  const probe = join(folder, "probe.mjs")
  writeFileSync(heapFile, "")
  writeFileSync(probe, PROBE)
  const smsc = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/smsc.ts"))
  const [ports] = await once(smsc, "message")
  const load = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/load.ts"))
  await once(load, "message")
  const system = await startWatchword(
    { folder, smscPort: ports.smpp, receiptPort: ports.http, requestIds: true },
    {
      args: ["--expose-gc", "--import", probe],
      env: { HEAP_FILE: heapFile, VERIFY_SECRET: SECRET },
      ...(root === undefined ? {} : { root })
    }
  )
  const pid = system.pids[0] ?? 0

  const heap = async (): Promise<number> => {
    writeFileSync(heapFile, "")
    process.kill(pid, "SIGUSR2")
    for (;;) {
      await sleep(50)
      const text = readFileSync(heapFile, "utf8")
      if (text !== "") return JSON.parse(text).heapUsed / MIB
    }
  }

  const receiptsIn = async (count: number): Promise<void> => {
    for (;;) {
      const { acknowledged } = await ask<Counts>(smsc, { about: system.systemId })
      if (acknowledged >= count) return
      await sleep(50)
    }
  }

  let sent = 0
  const send = async (count: number, request: Watchword["request"]): Promise<void> => {
    const { port, status } = system
    const task: Task = { port, request, status, connections, until: { answers: count } }
    sent += (await ask<Load>(load, task)).answers
    await receiptsIn(sent)
  }

  const rows: Array<Row> = []
  const measure = async (after: string): Promise<void> => {
    const [peak, resident] = [peakOf(pid) / MIB, residentOf(pid) / MIB]
    const row = { commit, after, heap: await heap(), peak, resident, collected: residentOf(pid) / MIB }
    rows.push(row)
    say(`${commit}, ${after}: ${figure(row.peak)} MiB at the peak, ${figure(row.collected)} MiB after collection`)
  }

  try {
    await sleep(500)
    await measure("the start")
    await send(WARM_UP, system.request)
    await measure(`${figure(sent)} sends`)
    for (let step = 0; step < steps; step++) {
      await send(Math.round(sends / steps), system.request)
      await measure(`${figure(sent)} sends`)
    }
    if (pending > 0) {
      const [sender = { account: "", key: "" }] = system.senders
      await send(pending, verificationOf(system.port, sender, null).request)
      await measure(`${figure(pending)} pending verifications`)
    }
    return rows
  } finally {
    await system.stop()
    await end(load)
    await end(smsc)
  }
}

const growthOf = (rows: ReadonlyArray<Row>): number =>
  (rows[steps + 1]?.heap ?? Number.NaN) / (rows[1]?.heap ?? Number.NaN)

const other = against === null ? undefined : checkoutOf(against)
stepAside()
const own = await measured("this commit", undefined)
const rows = other === undefined || against === null ? own : [...own, ...(await measured(against, other))]
say(`\n${machineLine()}; ${connections} connections\n`)
say(
  table(
    ["", "after", "heap MiB", "RSS MiB at the peak", "RSS MiB", "RSS MiB, collected"],
    rows.map(({ after, collected, commit, heap, peak, resident }) => [
      commit,
      after,
      figure(heap),
      figure(peak),
      figure(resident),
      figure(collected)
    ])
  )
)
const growth = growthOf(own)
say(
  `\nHeap after ${figure(WARM_UP + sends)} sends is ${growth.toFixed(2)} times that after ${figure(WARM_UP)}: ${growth < GROWTH ? "flat" : "it grows"}.`
)
writeJson({ bench: "memory", growth, rows })
