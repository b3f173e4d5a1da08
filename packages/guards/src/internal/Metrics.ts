/**
 * Metrics of guards.
 */
import { by, counter } from "@watchword/send/pipeline"
import * as Effect from "effect/Effect"

const DECISIONS = counter(
  "watchword_guard_decisions_total",
  "Sends by the guard's decision, and the reason if the guard refused or would have refused them."
)

const BLINDNESS = counter(
  "watchword_guard_blind_total",
  "Sends that guards let through because rules or counters could not be read."
)

const CHECKS = counter(
  "watchword_before_send_checks_total",
  "The operator's own checks before sends, by outcome: allow, deny or failed."
)

/** Counts checks before sends. The series of failed checks begins with 0, for alerts. */
export const beginChecking = Effect.map(Effect.context<never>(), (context) => {
  const checks = by("outcome", CHECKS)(context)
  checks("failed")(0)
  return (outcome: "allow" | "deny" | "failed"): void => checks(outcome)(1)
})

/**
 * Begins the series that alerts use with 0. Prometheus sees no increase in a series that begins with its first value,
 * and would miss the first block and the first blindness of a process.
 */
export const beginCounting = Effect.map(Effect.context<never>(), (context) => {
  const decisions = by("decision", by("reason", DECISIONS))(context)
  const blindness = BLINDNESS(context)
  decisions("refused")("prefix_blocked")(0)
  blindness(0)
  return {
    /** Reasons are as many as the limits of all rules. */
    countDecision: (decision: "passed" | "noted" | "refused", reasons: ReadonlyArray<string> = ["none"]): void => {
      for (const reason of reasons) decisions(decision)(reason)(1)
    },
    countBlind: (): void => blindness(1)
  }
})
