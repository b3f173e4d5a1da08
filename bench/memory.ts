/**
 * Memory of the standalone server before and after many sends on a live key, each with its receipt: whether it grows
 * with the number of sends. Heap is the memory in use after a garbage collection.
 *
 * `npm run bench -- memory [--sends=200000] [--steps=5] [--connections=50] [--json[=file]]`; a million with
 * `--sends=1e6`.
 */
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Result as Load, Task } from "./peers/load.ts"
import type { Counts } from "./peers/smsc.ts"
import { startWatchword } from "./peers/systems.ts"
import { LOAD_CORE, ask, end, forkOn, residentOf, stepAside, workFolder } from "./support/processes.ts"
import { figure, machineLine, numberOption, say, table, writeJson } from "./support/report.ts"

const sends = numberOption("sends", 200_000)
const steps = numberOption("steps", 5)
const connections = numberOption("connections", 50)
const MIB = 2 ** 20
/** After this many sends the store's buffers, caches, compiled code and the heap's own layout have settled. */
const WARM_UP = 100_000
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

stepAside()
const folder = workFolder()
const heapFile = join(folder, "heap.json")
const probe = join(folder, "probe.mjs")
writeFileSync(heapFile, "")
writeFileSync(probe, PROBE)
process.env["HEAP_FILE"] = heapFile

const smsc = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/smsc.ts"))
const [ports] = await once(smsc, "message")
const load = forkOn(LOAD_CORE, join(import.meta.dirname, "peers/load.ts"))
await once(load, "message")
const system = await startWatchword(
  { folder, smscPort: ports.smpp, receiptPort: ports.http, requestIds: true },
  { args: ["--expose-gc", "--import", probe] }
)
const pid = system.pids[0] ?? 0

const heap = async (): Promise<number> => {
  writeFileSync(heapFile, "")
  process.kill(pid, "SIGUSR2")
  for (;;) {
    await sleep(50)
    const text = await readText()
    if (text !== "") return JSON.parse(text).heapUsed / MIB
  }
}

const readText = async (): Promise<string> => (await import("node:fs/promises")).readFile(heapFile, "utf8")

const receiptsIn = async (count: number): Promise<void> => {
  for (;;) {
    const { acknowledged } = await ask<Counts>(smsc, { about: system.systemId })
    if (acknowledged >= count) return
    await sleep(50)
  }
}

let sent = 0
const send = async (count: number): Promise<void> => {
  const { port, request, status } = system
  const task: Task = { port, request, status, connections, until: { answers: count } }
  sent += (await ask<Load>(load, task)).answers
  await receiptsIn(sent)
}

const measure = async () => {
  const resident = residentOf(pid) / MIB
  return { sent, heap: await heap(), resident, collected: residentOf(pid) / MIB }
}

try {
  await sleep(500)
  const results = [await measure()]
  await send(WARM_UP)
  results.push(await measure())
  for (let step = 0; step < steps; step++) {
    await send(Math.round(sends / steps))
    results.push(await measure())
  }
  const warm = results[1]?.heap ?? Number.NaN
  const growth = (results.at(-1)?.heap ?? Number.NaN) / warm
  say(`${machineLine()}\n`)
  say(
    table(
      ["sends", "heap MiB", "RSS MiB", "RSS MiB, collected"],
      results.map(({ collected, heap, resident, sent }) => [
        figure(sent),
        figure(heap),
        figure(resident),
        figure(collected)
      ])
    )
  )
  say(
    `\nHeap after ${figure(sent)} sends is ${growth.toFixed(2)} times that after ${figure(WARM_UP)}: ${growth < GROWTH ? "flat" : "it grows"}.`
  )
  writeJson({ bench: "memory", growth, results })
} finally {
  await system.stop()
  await end(load)
  await end(smsc)
}
