/**
 * Rounds with as little other work on the machine as possible: other work takes time, cache and disk from a server,
 * and would be counted as slowness of the server.
 */
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { cpuOf } from "./processes.ts"
import { flag } from "./report.ts"

/** The share of one core that other processes may use during a round. */
const TOLERATED = 0.15
const SAMPLE = 200
const MOST_SAMPLES = 50
const MOST_TRIES = 3
/** With `--disturbed` a round runs once and at once, for ratios on a machine that is never quiet. */
const isDisturbed = flag("disturbed")

/** Microseconds of CPU that everything on the machine has used so far. */
const busy = (): number => {
  const line = /^cpu +(.*)$/m.exec(readFileSync("/proc/stat", "latin1"))?.[1] ?? ""
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(" ").map(Number)
  return (user + nice + system + irq + softirq + steal) * 10_000
}

/** The CPU that other processes use during some work; the given processes and this one do not count as others. */
const othersDuring = async <A>(pids: ReadonlyArray<number>, work: () => Promise<A>) => {
  const own = [...pids, process.pid]
  const before = { busy: busy(), own: cpuOf(...own), at: performance.now() }
  const result = await work()
  const used = busy() - before.busy - (cpuOf(...own) - before.own)
  return { result, others: Math.max(0, used / 1000 / (performance.now() - before.at)) }
}

/** Waits until the machine is quiet, for at most ten seconds. */
const quiet = async (): Promise<void> => {
  for (let sample = 0; sample < MOST_SAMPLES; sample++) {
    const { others } = await othersDuring([], () => sleep(SAMPLE))
    if (others < TOLERATED) return
  }
}

/**
 * Runs a round when the machine is quiet, and again if it did not stay quiet. If all rounds were disturbed, the least
 * disturbed one counts. `others` is the share of a core, in per cent, that other processes and the kernel's own threads
 * used meanwhile.
 *
 * @param pids the processes that belong to the round
 * @param tries the maximum number of rounds
 */
export const undisturbed = async <A>(
  pids: ReadonlyArray<number>,
  round: () => Promise<A>,
  tries = MOST_TRIES
): Promise<A & { readonly others: number }> => {
  if (isDisturbed) {
    const { others, result } = await othersDuring(pids, round)
    return { ...result, others: others * 100 }
  }
  let best: { readonly result: A; readonly others: number } | null = null
  for (let attempt = 0; attempt < tries; attempt++) {
    await quiet()
    const done = await othersDuring(pids, round)
    if (best === null || done.others < best.others) best = done
    if (done.others < TOLERATED) break
  }
  if (best === null) throw new Error("no round was done")
  return { ...best.result, others: best.others * 100 }
}
