/**
 * Rounds of requests to one server, each of which makes one text or one call. A round ends when the carrier has an
 * acknowledgement for the receipt of every text, or the trunk for the end of every call.
 */
import type { ChildProcess } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import type { System } from "../peers/systems.ts"
import type { Client } from "./http.ts"
import { ask, cpuOf } from "./processes.ts"

/** A server with a carrier or a trunk. */
export interface Loaded {
  readonly system: Pick<System, "pids" | "systemId">
  readonly client: Client
  readonly peer: ChildProcess
  /** Texts or calls so far. */
  sent: number
}

const settled = async ({ peer, sent, system }: Loaded): Promise<void> => {
  for (let waited = 0; ; waited++) {
    const { acknowledged } = await ask<{ readonly acknowledged: number }>(peer, { about: system.systemId })
    if (acknowledged === sent) return
    if (waited > 600) throw new Error(`${acknowledged} texts or calls are over, not ${sent}`)
    await sleep(50)
  }
}

/** Work of so many operations: what each took of the server's CPU until its receipt or its end. */
export const cpuOfWork = async (loaded: Loaded, operations: number, work: () => Promise<unknown>): Promise<number> => {
  const [pid = 0] = loaded.system.pids
  const before = cpuOf(pid)
  await work()
  loaded.sent += operations
  await settled(loaded)
  return (cpuOf(pid) - before) / operations
}

/** So many operations, over so many connections: what each took of the server's CPU, and how long it waited. */
export const round = async (
  loaded: Loaded,
  operate: (client: Client) => Promise<unknown>,
  { connections, operations }: { readonly connections: number; readonly operations: number }
) => {
  const startedAt = performance.now()
  const latencies: Array<number> = []
  let seconds = 0
  let left = operations
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const begun = performance.now()
      await operate(loaded.client)
      latencies.push(performance.now() - begun)
    }
  }
  const cpu = await cpuOfWork(loaded, operations, async () => {
    await Promise.all(Array.from({ length: connections }, worker))
    seconds = (performance.now() - startedAt) / 1000
  })
  latencies.sort((a, b) => a - b)
  return {
    cpu,
    perSecond: operations / seconds,
    p50: latencies[latencies.length >> 1] ?? 0,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0
  }
}
