/**
 * Calling conventions: the parameters that a group's methods take besides their arguments, and the type of its lists.
 * An in-process service has the same groups under its own convention, so that each method is declared and documented
 * once.
 */
import type { Listing, Page } from "./Lists.ts"
import type { CallOptions, KeyedOptions } from "./Options.ts"

export interface Convention {
  /** The arguments in front. */
  readonly before: ReadonlyArray<unknown>
  /** The arguments behind. */
  readonly options: ReadonlyArray<unknown>
  /** The arguments behind of a call whose repeats are known by a key. */
  readonly keyed: ReadonlyArray<unknown>
  /** Whether a list can be walked from page to page. */
  readonly walks: boolean
}

/** The convention of the client. */
export interface OverHttp extends Convention {
  readonly before: []
  readonly options: [options?: CallOptions]
  readonly keyed: [options?: KeyedOptions]
  readonly walks: true
}

/** The type of a list. */
export type Pages<C extends Convention, Item> = C["walks"] extends true ? Listing<Item> : Promise<Page<Item>>
