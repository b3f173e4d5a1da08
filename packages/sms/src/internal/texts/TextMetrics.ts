/**
 * Counts the texts of subscribers by gateway, and by what became of them.
 */
import { by, counter } from "@watchword/send/pipeline"
import * as Effect from "effect/Effect"

/**
 * `taken`: brought to the verifications. `dropped`: to no number that users are to write to. `unfinished`: a part did
 * not come. `again`: not stored, so that the carrier was asked to send it again.
 */
export type TextResult = "taken" | "dropped" | "unfinished" | "again"

export type CountText = (result: TextResult) => void

const RECEIVED = counter(
  "watchword_gateway_received_total",
  "Texts that subscribers wrote, by gateway and by what became of them."
)

/** The counters of gateways by their names. */
export const make: Effect.Effect<(gateway: string) => CountText> = Effect.map(Effect.context<never>(), (context) => {
  const series = by("gateway", by("result", RECEIVED))(context)
  return (gateway) => (result) => series(gateway)(result)(1)
})
