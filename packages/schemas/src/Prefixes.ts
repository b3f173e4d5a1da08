/**
 * Values by the first digits of phone numbers: price lists, costs of carriers, routes. The longest matching prefix
 * wins.
 */
import type { E164 } from "./PhoneNumber.ts"

export interface Prefixes<out A> {
  /** By digits without the plus sign; `*` is for all other numbers. */
  readonly byPrefix: ReadonlyMap<string, A>
  /** How many digits the longest prefix has. */
  readonly longest: number
}

/** The prefix of all numbers that have no other one. */
export const OTHERS = "*"

/** The error text for a key that is not a prefix. */
export const MUST = "must be digits that a number begins with, or *"

const PREFIX = /^\+?([1-9][0-9]{0,14})$/

/** A prefix as people write it, with or without a plus sign; undefined for anything else. */
export const parse = (key: string): string | undefined => (key === OTHERS ? OTHERS : PREFIX.exec(key)?.[1])

export const make = <A>(byPrefix: ReadonlyMap<string, A>): Prefixes<A> => ({
  byPrefix,
  longest: Math.max(0, ...[...byPrefix.keys()].map((prefix) => (prefix === OTHERS ? 0 : prefix.length)))
})

/** The longest prefix that a number begins with; `*` where none has a value. */
export const prefixOf = ({ byPrefix, longest }: Prefixes<unknown>, to: E164): string => {
  for (let digits = longest; digits > 0; digits--) {
    const prefix = to.slice(1, 1 + digits)
    if (byPrefix.has(prefix)) return prefix
  }
  return OTHERS
}

/** The value of the longest prefix that a number begins with. */
export const find = <A>(prefixes: Prefixes<A>, to: E164): A | undefined => prefixes.byPrefix.get(prefixOf(prefixes, to))
