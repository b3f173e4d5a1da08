/**
 * Metrics of verifications. Verifications of test numbers are counted separately: nothing is sent to them.
 */
import { by, counter, countryLabel } from "@watchword/send/pipeline"
import type { Principal } from "@watchword/schemas/Account"
import * as Effect from "effect/Effect"
import type { Plan } from "./plan/Plan.ts"
import type { Terms } from "./VerificationRecord.ts"

interface About {
  readonly mode: Principal["mode"]
  readonly terms: Pick<Terms, "country" | "test_number">
}

const STARTS = counter(
  "watchword_verifications_started_total",
  "Verifications that were started, by mode and country of the number."
)

const ENDS = counter(
  "watchword_verifications_ended_total",
  "Ended verifications, by mode, country of the number, status and reason."
)

const TEST_CHECKS = counter(
  "watchword_test_number_checks_total",
  "Codes that were entered for test numbers by their outcome: approved, wrong, or refused because too many were wrong."
)

/** Counts checks of test numbers. Counters of refusals begin with 0, for alerts. */
export const beginTestChecks = Effect.map(Effect.context<never>(), (context) => {
  const checks = by("outcome", TEST_CHECKS)(context)
  checks("refused")(0)
  return (outcome: "approved" | "wrong" | "refused"): void => checks(outcome)(1)
})

/** The metrics, in the registry of the context. */
export const make = Effect.map(Effect.context<never>(), (context) => {
  const starts = by("mode", by("country", STARTS))(context)
  const ends = by("mode", by("country", by("status", by("reason", ENDS))))(context)
  return {
    countStart: ({ mode, terms }: About): void => {
      if (!terms.test_number) starts(mode)(countryLabel(terms.country))(1)
    },

    /** Counts the end of a plan. A guard's block counts as one reason: the guards' own metric has the details. */
    countEnd: ({ mode, terms }: About, { reason, status }: Plan): void => {
      const why = status === "blocked" ? "guard" : (reason ?? "none")
      if (!terms.test_number) ends(mode)(countryLabel(terms.country))(status)(why)(1)
    }
  }
})
