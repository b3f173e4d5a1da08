/**
 * Metrics of verifications. Those of test numbers are not counted: nothing is sent to them.
 */
import * as Metrics from "@watchword/send/Metrics"
import type { Principal } from "@watchword/schemas/Principal"
import type * as Context from "effect/Context"
import type { Plan } from "./plan/Plan.ts"
import type { Terms } from "./VerificationRecord.ts"

const starts = Metrics.counter(
  "watchword_verifications_started_total",
  "Verifications that were started, by mode and country of the number."
)

const ends = Metrics.counter(
  "watchword_verifications_ended_total",
  "Verifications that have ended, by mode, country of the number, status and reason."
)

interface About {
  readonly mode: Principal["mode"]
  readonly terms: Pick<Terms, "country" | "test_number">
}

export const countStart = ({ mode, terms }: About, context: Context.Context<never>): void => {
  if (!terms.test_number) starts({ mode, country: Metrics.countryLabel(terms.country) }, 1, context)
}

/** Counts the end of a plan. A block by a guard is one reason: its own metric tells them apart. */
export const countEnd = ({ mode, terms }: About, { reason, status }: Plan, context: Context.Context<never>): void => {
  if (terms.test_number) return
  const why = status === "blocked" ? "guard" : (reason ?? "none")
  ends({ mode, country: Metrics.countryLabel(terms.country), status, reason: why }, 1, context)
}
