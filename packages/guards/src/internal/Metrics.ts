/**
 * Metrics of guards.
 */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const decisions = Metric.counter("watchword_guard_decisions_total", {
  description: "Sends by the decision of their guard, and the reason of those it refused or would have refused.",
  incremental: true
})

const blindness = Metric.counter("watchword_guard_blind_total", {
  description: "Sends that guards let through because rules or counters could not be read.",
  incremental: true
})

/**
 * Begins the series that alerts go by with 0. Prometheus sees no increase in a series that begins with its first value, and
 * would miss the first block and the first blindness of a process.
 */
export const beginCounting: Effect.Effect<void> = Effect.andThen(
  Metric.update(Metric.withAttributes(decisions, { decision: "refused", reason: "prefix_blocked" }), 0),
  Metric.update(blindness, 0)
)

/** Counts a decision. Reasons are as many as the limits of all rules. */
export const countDecision = (
  decision: "passed" | "noted" | "refused",
  reasons: ReadonlyArray<string> = ["none"]
): Effect.Effect<void> =>
  Effect.forEach(reasons, (reason) => Metric.update(Metric.withAttributes(decisions, { decision, reason }), 1), {
    discard: true
  })

export const countBlind: Effect.Effect<void> = Metric.update(blindness, 1)
