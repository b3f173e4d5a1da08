/**
 * Gauges of the backlog: how many events the endpoints of all accounts are owed, and the age of the oldest. All
 * processes on one store report the same.
 */
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const pending = Metric.gauge("watchword_events_pending", {
  description: "Events that endpoints are owed. Counted up to 10,000."
})
const oldest = Metric.gauge("watchword_events_oldest_age_seconds", {
  description: "Age of the oldest event that an endpoint is owed; 0 without any."
})

/** Rows of an index of pending events, which bounds the work. */
const MOST = 10_000

/** Reads the backlog into the gauges. */
export const measure = Effect.fnUntraced(function* (
  store: Pick<Store["Service"], "eventBacklog">
): Effect.fn.Return<void, StoreError> {
  const backlog = yield* store.eventBacklog(MOST)
  const now = yield* Clock.currentTimeMillis
  yield* Metric.update(pending, backlog.pending)
  yield* Metric.update(oldest, Math.max(0, now - (backlog.oldestPending ?? now)) / 1000)
})
