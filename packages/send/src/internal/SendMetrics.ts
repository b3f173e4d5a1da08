/**
 * Metrics of the pipeline: sends by their outcome, and the time that gateways take to answer.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import { type E164, countryOf } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import { by, counter, countryLabel, histogram } from "../pipeline/Metrics.ts"
import type { Outcome } from "../Outcome.ts"

interface About {
  readonly channel: Product
  readonly to: E164
  readonly principal: { readonly mode: Mode }
}

const SENDS = counter(
  "watchword_sends_total",
  "Sends by channel, country of the number, mode and outcome: the gateway's answer, or blocked by a guard."
)

const ANSWERS = histogram(
  "watchword_gateway_answer_seconds",
  "Time from asking a gateway to its answer, queueing included, by channel and outcome.",
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
)

const lower = (tag: string | number): string => String(tag).toLowerCase()

/** The metrics, in the registry of the context. */
export const make = Effect.map(Effect.context<never>(), (context) => {
  const sends = by("channel", by("country", by("mode", by("outcome", SENDS, lower))))(context)
  const answers = by("channel", by("mode", by("outcome", ANSWERS, lower)))(context)
  return {
    /** Counts a send once its outcome is known. */
    countSend: ({ channel, principal, to }: About, outcome: Outcome["_tag"] | "Blocked"): void =>
      sends(channel)(countryLabel(countryOf(to)))(principal.mode)(outcome)(1),

    /** Notes how many milliseconds a gateway took. */
    timeAnswer: ({ channel, principal }: About, outcome: Outcome["_tag"], milliseconds: number): void =>
      answers(channel)(principal.mode)(outcome)(milliseconds / 1000)
  }
})
