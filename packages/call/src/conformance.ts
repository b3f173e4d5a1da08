/**
 * What every gateway that places calls must do, as cases for any test runner. The test of a gateway says how to
 * start one and what its network is to do with the next calls:
 *
 * ```ts
 * import { cases } from "@watchword/call/conformance"
 * import { it } from "@effect/vitest"
 *
 * for (const { name, run } of cases(harness)) it.live(name, () => run)
 * ```
 */
import * as Effect from "effect/Effect"
import type { Case, Harness } from "./conformance/kit.ts"
import { outcomes } from "./conformance/outcomes.ts"
import { safety } from "./conformance/safety.ts"

export { type Case, type Fate, type Harness, Misbehaviour, type Network, type Started } from "./conformance/kit.ts"

/** Everything a gateway must do. */
export const cases = (harness: Harness): ReadonlyArray<Case> =>
  [...outcomes, ...safety].map(({ name, run }) => ({ name, run: Effect.scoped(Effect.flatMap(harness.start, run)) }))
