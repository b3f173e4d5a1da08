/**
 * Test cases of a conformance suite. Every suite is a function `cases(harness)` that returns a list of them; the
 * harness opens the implementation under test. Any test runner can register the list:
 *
 * ```ts
 * for (const { name, check } of cases(harness)) it(name, () => Effect.runPromise(check))
 * ```
 */
import type * as Effect from "effect/Effect"

/** One sentence of a contract. */
export interface Case {
  /** Unique within its suite. */
  readonly name: string
  /** Opens what it needs through the harness. Fails or dies with an explanation when the contract is broken. */
  readonly check: Effect.Effect<void, Error>
}

/** Prefixes the names of cases with their common subject. */
export const group = <C extends { readonly name: string }>(
  subject: string,
  cases: ReadonlyArray<C>
): ReadonlyArray<C> => cases.map((each) => ({ ...each, name: `${subject}: ${each.name}` }))
