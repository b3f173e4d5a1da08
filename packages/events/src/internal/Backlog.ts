/**
 * Metrics of the backlog: how many events wait, and for how long the oldest has, of the endpoints that this process has
 * sent to lately. Each process of a service has a part of them.
 */
import { Store } from "@watchword/store/Store"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const pending = Metric.gauge("watchword_events_pending", {
  description: "Events that wait, of the endpoints that this process has sent to lately."
})

const oldest = Metric.gauge("watchword_events_oldest_seconds", {
  description: "Age of the oldest event that waits; 0 where none does."
})

/** How many endpoints are measured; those that were seen last stay. */
const MOST = 100

const MEASURED_EVERY = Duration.toMillis("15 seconds")

export const make = Effect.gen(function* () {
  const store = yield* Store
  const seen = new Set<string>()
  let measuredAt = -Infinity

  /** Notes that an endpoint was sent to. */
  const see = (endpoint: string): void => {
    seen.delete(endpoint)
    seen.add(endpoint)
    if (seen.size <= MOST) return
    const [first] = seen
    if (first !== undefined) seen.delete(first)
  }

  /** Measures anew, every 15 seconds at most. */
  const measure = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (seen.size === 0 || Math.abs(now - measuredAt) < MEASURED_EVERY) return
    measuredAt = now
    const summaries = yield* Effect.forEach([...seen], store.eventSummary)
    const since = Math.min(...summaries.map(({ oldestPending }) => oldestPending ?? now))
    yield* Metric.update(
      pending,
      summaries.reduce((sum, summary) => sum + summary.pending, 0)
    )
    yield* Metric.update(oldest, Math.max(0, now - since) / 1000)
  })

  return { see, measure }
})
