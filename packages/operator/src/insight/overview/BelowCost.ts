/**
 * Prices below the costs of carriers, of which only the program with the tables of both knows.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** One sentence for each, the largest loss first; none for a service in an app. */
export const BelowCost = Context.Reference<Effect.Effect<ReadonlyArray<string>>>("watchword/internal/BelowCost", {
  defaultValue: () => Effect.succeed([])
})
