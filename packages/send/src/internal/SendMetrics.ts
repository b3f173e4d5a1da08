/**
 * Metrics of the pipeline: sends by their outcome, and the time that gateways take to answer.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import { type E164, countryOf } from "@watchword/schemas/PhoneNumber"
import type * as Context from "effect/Context"
import * as Metrics from "../Metrics.ts"
import type { Outcome } from "../Outcome.ts"

interface About {
  readonly channel: Product
  readonly to: E164
  readonly principal: { readonly mode: Mode }
}

const sends = Metrics.counter(
  "watchword_sends_total",
  "Sends by channel, country of the number, mode and outcome: the gateway's answer, or blocked by a guard."
)

const answers = Metrics.histogram(
  "watchword_gateway_answer_seconds",
  "Time from asking a gateway to its answer, queueing included, by channel and outcome.",
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
)

/** Counts a send once its outcome is known. */
export const countSend = (
  { channel, principal, to }: About,
  outcome: Outcome["_tag"] | "Blocked",
  context: Context.Context<never>
): void =>
  sends(
    { channel, country: Metrics.countryLabel(countryOf(to)), mode: principal.mode, outcome: outcome.toLowerCase() },
    1,
    context
  )

/** Notes how many milliseconds a gateway took. */
export const timeAnswer = (
  { channel, principal }: About,
  outcome: Outcome["_tag"],
  milliseconds: number,
  context: Context.Context<never>
): void => answers({ channel, mode: principal.mode, outcome: outcome.toLowerCase() }, milliseconds / 1000, context)
