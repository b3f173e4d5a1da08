/**
 * The operator whose command is under way.
 */
import * as Context from "effect/Context"

/** Who runs a command, and by which face. */
export interface Actor {
  readonly who: string
  readonly by: "api" | "console" | "command" | "program"
}

/** Who runs the command that is under way; null if none is. */
export const Acting = Context.Reference<Actor | null>("@watchword/operator/Acting", { defaultValue: () => null })
