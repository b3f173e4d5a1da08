/**
 * Calling conventions: the parameters of a group's methods in addition to their arguments. An in-process service has
 * the same groups with its own convention, so that each method is declared and documented once.
 */
import type { CallOptions, KeyedOptions } from "./Options.ts"

export interface Convention {
  /** The arguments in front. */
  readonly before: ReadonlyArray<unknown>
  /** The arguments behind. */
  readonly options: ReadonlyArray<unknown>
  /** The arguments behind of a call whose repeats are known by a key. */
  readonly keyed: ReadonlyArray<unknown>
}

/** The convention of the client. */
export interface OverHttp extends Convention {
  readonly before: []
  readonly options: [options?: CallOptions]
  readonly keyed: [options?: KeyedOptions]
}
