/**
 * Checks that conformance cases are written with. Each throws or fails with a `Violation` that names the value, the
 * expectation and the finding.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Schedule from "effect/Schedule"
import { Violation } from "./Violation.ts"

/** Requires a condition, and narrows types by it. */
export function holds(about: string, condition: boolean): asserts condition {
  if (!condition) throw new Violation({ message: about })
}

/** Requires two values to be structurally equal. */
export const same = <A>(about: string, actual: A, expected: A): void => {
  if (!Equal.equals(actual, expected)) throw mismatch(about, actual, expected)
}

/**
 * The expected shape of a value: objects by some of their fields, arrays member by member, texts through a regular
 * expression, any value by a predicate, and the rest by equality.
 */
export type Pattern =
  | RegExp
  | ((value: unknown) => boolean)
  | string
  | number
  | boolean
  | null
  | undefined
  | ReadonlyArray<Pattern>
  | { readonly [field: string]: Pattern }

/** Requires a value to look like a pattern. */
export const like = (about: string, actual: unknown, pattern: Pattern): void => {
  if (!isLike(actual, pattern)) throw mismatch(about, actual, pattern)
}

const isLike = (actual: unknown, pattern: Pattern): boolean => {
  if (typeof pattern === "function") return pattern(actual)
  if (pattern instanceof RegExp) return typeof actual === "string" && pattern.test(actual)
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(actual) &&
      actual.length === pattern.length &&
      actual.every((one, index) => isLike(one, pattern[index]))
    )
  }
  if (typeof pattern === "object" && pattern !== null) {
    if (typeof actual !== "object" || actual === null) return false
    const fields = new Map(Object.entries(actual))
    return Object.entries(pattern).every(([field, expected]) => isLike(fields.get(field), expected))
  }
  return actual === pattern
}

/** Polls until a condition holds; a `Violation` after ten seconds, or the given time. */
export const eventually = (
  about: string,
  condition: Effect.Effect<boolean>,
  within: Duration.Input = "10 seconds"
): Effect.Effect<void, Violation> =>
  condition.pipe(
    Effect.repeat({ schedule: Schedule.spaced("5 millis"), until: (reached) => reached }),
    Effect.timeoutOrElse({
      duration: within,
      orElse: () => Effect.fail(new Violation({ message: `waited in vain for ${about}` }))
    }),
    Effect.asVoid
  )

const mismatch = (about: string, actual: unknown, expected: unknown): Violation =>
  new Violation({ message: `${about}: expected ${shown(expected)}, found ${shown(actual)}` })

const shown = (value: unknown): string => {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === "function" || member instanceof RegExp ? String(member) : member
  )
  return text ?? String(value)
}
