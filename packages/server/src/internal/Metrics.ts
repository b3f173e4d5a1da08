/**
 * Metrics of the server.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { GatewayHealth } from "@watchword/send/gateway"
import { by, counter } from "@watchword/send/pipeline"
import type { ApiRequest } from "../http/ApiRequest.ts"

const REQUESTS = counter("watchword_http_requests_total", "Requests answered, by method, route and status.")

/** Counts answers. Requests without a route share a series for each status, so that clients cannot add series. */
export const answerCounter = (context: Context.Context<never>) => {
  const requests = by("method", by("route", by("status", REQUESTS)))(context)
  return ({ method, route }: ApiRequest, status: number): void =>
    requests(route === "none" ? "any" : method)(route)(status)(1)
}

const resident = Metric.gauge("process_resident_memory_bytes", { description: "Resident memory size in bytes." })
const heap = Metric.gauge("nodejs_heap_size_used_bytes", { description: "Process heap size used in bytes." })
const uptime = Metric.gauge("process_uptime_seconds", { description: "Time since the process started." })

/** Brings the gauges about this process up to date, where the host has processes. */
export const measureProcess: Effect.Effect<void> = Effect.suspend(() => {
  const process: Partial<NodeJS.Process> | undefined = globalThis.process
  if (process?.memoryUsage === undefined || process.uptime === undefined) return Effect.void
  const memory = process.memoryUsage()
  return Effect.all(
    [
      Metric.update(resident, memory.rss),
      Metric.update(heap, memory.heapUsed),
      Metric.update(uptime, process.uptime())
    ],
    { discard: true }
  )
})

const storeUp = Metric.gauge("watchword_store_up", { description: "Whether the store answers: 1, or 0." })

export const measureStore = (isUp: boolean): Effect.Effect<void> => Metric.update(storeUp, isUp ? 1 : 0)

const gatewayUp = Metric.gauge("watchword_gateway_up", {
  description: "Whether a connection of a gateway can be used: 1, or 0."
})
const windowUsed = Metric.gauge("watchword_gateway_window_used", {
  description: "Messages that wait for the answer of the peer."
})
const windowSize = Metric.gauge("watchword_gateway_window_size", {
  description: "Messages that may wait for the answer of the peer at once."
})

const learnedRate = Metric.gauge("watchword_gateway_learned_rate", {
  description: "Messages a second that the peer's throttling has taught; 0 while it has not throttled."
})

/** Brings the gauges of connections up to date; their names are in the settings, so there are as many as these have. */
export const measureGateways = (connections: ReadonlyArray<GatewayHealth>): Effect.Effect<void> =>
  Effect.forEach(
    connections,
    ({ name, rate, up, window }) => {
      const set = (gauge: Metric.Gauge<number>, value: number) =>
        Metric.update(Metric.withAttributes(gauge, { gateway: name }), value)
      return Effect.all(
        [
          set(gatewayUp, up ? 1 : 0),
          ...(window === undefined ? [] : [set(windowUsed, window.used), set(windowSize, window.size)]),
          ...(rate === undefined ? [] : [set(learnedRate, rate ?? 0)])
        ],
        { discard: true }
      )
    },
    { discard: true }
  )
