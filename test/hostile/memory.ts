/**
 * Memory of processes, in MB.
 */
import { readFileSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect: unknown = runInNewContext("gc")

/** The heap of this process after its garbage was collected. */
export const ownHeap = async (): Promise<number> => {
  for (let times = 0; times < 2; times++) {
    await delay(10)
    if (typeof collect === "function") collect()
  }
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** The resident memory of another process. */
export const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
