/**
 * Metrics of the store's steps: how long they take to commit, how often they fail, and the statuses and delays of the
 * reports that they write.
 */
import type { Report, Reported } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { by, counter, histogram } from "../pipeline/Metrics.ts"

const COMMITS = histogram(
  "watchword_store_commit_seconds",
  "Duration of store steps, from the call to the commit, by step.",
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
)

const FAILURES = counter("watchword_store_errors_total", "Steps of the store that failed, by step and reason.")

const STATUSES = counter(
  "watchword_delivery_statuses_total",
  "Statuses that deliveries reached by receipts and other reports, by channel, mode and status."
)

const DELAYS = histogram(
  "watchword_receipt_delay_seconds",
  "Time from the send to the report that moved its status, by channel, mode and status.",
  [0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 86_400]
)

/** Verifications are records too, and have metrics of their own. */
const VERIFICATION = "verify"

/** The metrics, in the registry of the context. */
export const make = Effect.map(Effect.context<never>(), (context) => {
  const statuses = by("channel", by("mode", by("status", STATUSES)))(context)
  const delays = by("channel", by("mode", by("status", DELAYS)))(context)
  return {
    commits: by("step", COMMITS)(context),
    failures: by("step", by("reason", FAILURES))(context),

    /** Counts the status that a report has moved its delivery to. */
    countStatus: ({ at, status }: Report, reported: Reported): void => {
      if (status === null || reported._tag !== "Moved") return
      const { channel, createdAt, mode, status: reached, statusAt } = reported.delivery
      if (channel === VERIFICATION || reached.name !== status.name || statusAt !== at) return
      statuses(channel)(mode)(reached.name)(1)
      delays(channel)(mode)(reached.name)(Math.max(0, statusAt - createdAt) / 1000)
    }
  }
})
