/**
 * The operator whose command is under way.
 */
import * as Context from "effect/Context"

/** Who runs a command, and by which face. */
export interface Actor {
  /** The name, for people to read. Several operators may have one name. */
  readonly who: string
  /**
   * Whom no other operator shares: the id of a token or a link, or the user of a proxy, a host, a program or the
   * machine.
   */
  readonly identity: string
  readonly by: "api" | "console" | "command" | "program"
}

/** Who runs the command that is under way; null if none is. */
export const Acting = Context.Reference<Actor | null>("@watchword/operator/Acting", { defaultValue: () => null })
