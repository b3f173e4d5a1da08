/**
 * The terminal of the operator who runs a command, for commands that take their time or have a question.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface Service {
  /** Whether lines appear before the command has ended. */
  readonly isLive: boolean
  /** Shows a line at once. */
  readonly say: (line: string) => Effect.Effect<void>
  /** Asks, and answers with the line that the operator wrote; null if no operator can be asked. */
  readonly ask: (question: string) => Effect.Effect<string | null>
}

/** Without a terminal nothing is shown, and no one is there to be asked: as by the operators' API. */
export const Terminal = Context.Reference<Service>("@watchword/store/internal/Terminal", {
  defaultValue: () => ({ isLive: false, say: () => Effect.void, ask: () => Effect.succeed(null) })
})
