/**
 * Test cases of a conformance suite. Every suite is a function `cases(harness)` that returns a list of them; the
 * harness opens the implementation under test. Any test runner can register the list:
 *
 * ```ts
 * for (const { name, check } of cases(harness)) it(name, () => Effect.runPromise(check))
 * ```
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** One sentence of a contract. */
export interface Case {
  /** Unique within its suite. */
  readonly name: string
  /** Opens its stores through the harness. Fails or dies with an explanation when the contract is broken. */
  readonly check: Effect.Effect<void, Error>
}

/** A case before it has an implementation to run on. */
export interface CaseOf<Started> {
  readonly name: string
  readonly check: (started: Started) => Effect.Effect<void, Error, Scope.Scope>
}

/** Prefixes the names of cases with their common subject. */
export const group = <Started>(
  subject: string,
  cases: ReadonlyArray<CaseOf<Started>>
): ReadonlyArray<CaseOf<Started>> => cases.map(({ name, check }) => ({ name: `${subject}: ${name}`, check }))

/** Gives each case an implementation of its own, which is closed when the case ends. */
export const bind = <Started>(
  start: Effect.Effect<Started, Error, Scope.Scope>,
  cases: ReadonlyArray<CaseOf<Started>>
): ReadonlyArray<Case> => cases.map(({ name, check }) => ({ name, check: Effect.scoped(Effect.flatMap(start, check)) }))
