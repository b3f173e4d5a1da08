/**
 * Rounds without other work on the machine, as far as possible: other work on the same machine takes time, cache and
 * disk from a server, and would be counted as its slowness.
 */
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { cpuOf } from "./processes.ts"

/** The share of one core that others may use during a round. */
const TOLERATED = 0.15
const SAMPLE = 200
const MOST_SAMPLES = 50
const MOST_TRIES = 3

/** Microseconds of CPU that everything on the machine has used so far. */
const busy = (): number => {
  const line = /^cpu +(.*)$/m.exec(readFileSync("/proc/stat", "latin1"))?.[1] ?? ""
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(" ").map(Number)
  return (user + nice + system + irq + softirq + steal) * 10_000
}

/** What others use of a core while something is done; the processes given are not others, nor is this one. */
const othersDuring = async <A>(pids: ReadonlyArray<number>, work: () => Promise<A>) => {
  const own = [...pids, process.pid]
  const before = { busy: busy(), own: cpuOf(...own), at: performance.now() }
  const result = await work()
  const used = busy() - before.busy - (cpuOf(...own) - before.own)
  return { result, others: Math.max(0, used / 1000 / (performance.now() - before.at)) }
}

/** Waits until the machine is quiet, for ten seconds at most. */
const quiet = async (): Promise<void> => {
  for (let sample = 0; sample < MOST_SAMPLES; sample++) {
    const { others } = await othersDuring([], () => sleep(SAMPLE))
    if (others < TOLERATED) return
  }
}

/**
 * Does a round when the machine is quiet, and again when it did not stay so. Of rounds that were all disturbed the
 * least disturbed counts. `others` is the share of a core, in per cent, that other processes and the kernel's own
 * threads used meanwhile.
 *
 * @param pids the processes that belong to the round
 * @param tries how often it is done at most
 */
export const undisturbed = async <A>(
  pids: ReadonlyArray<number>,
  round: () => Promise<A>,
  tries = MOST_TRIES
): Promise<A & { readonly others: number }> => {
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
