/**
 * Gauges of sends whose price is held: how many there are, and the age of the oldest. All processes on one store report
 * the same.
 */
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const count = Metric.gauge("watchword_open_sends", {
  description: "Sends whose price is held, by phase: pending or unknown. Counted up to 1,000."
})
const oldest = Metric.gauge("watchword_open_sends_oldest_age_seconds", {
  description: "Age of the oldest send whose price is held, by phase; 0 without any."
})

/** Rows are read oldest first by an index of their phase, so this bounds the work. */
const MOST = 1000

/** Reads the open sends into the gauges. */
export const measure = (store: Pick<Store["Service"], "unresolved">): Effect.Effect<void, StoreError> =>
  Effect.forEach(["pending", "unknown"] as const, (phase) => measurePhase(store, phase), { discard: true })

const measurePhase = Effect.fnUntraced(function* (
  store: Pick<Store["Service"], "unresolved">,
  phase: "pending" | "unknown"
): Effect.fn.Return<void, StoreError> {
  const query = { phase, createdBefore: Number.MAX_SAFE_INTEGER, abandoned: false, limit: MOST }
  const sends = yield* store.unresolved(query)
  const now = yield* Clock.currentTimeMillis
  const [first] = sends
  yield* Metric.update(Metric.withAttributes(count, { phase }), sends.length)
  const age = first === undefined ? 0 : Math.max(0, now - first.createdAt) / 1000
  yield* Metric.update(Metric.withAttributes(oldest, { phase }), age)
})
