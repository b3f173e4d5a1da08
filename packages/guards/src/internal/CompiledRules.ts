/**
 * Rules with their limits grouped by scope, and rates as numbers: the part that does not depend on a send.
 */
import { type Use, type Verdict, passed } from "@watchword/send/SendGuard"
import { type CompiledLimit, compileLimit, exceptional } from "./Limits.ts"
import { type Limit, type Rules, holdsFor } from "../Rules.ts"

export interface CompiledRules {
  readonly rules: Rules
  readonly limits: Readonly<Record<Use, ReadonlyArray<CompiledLimit>>>
  /** The limits of numbers that are exceptions. */
  readonly exceptional: Readonly<Record<Use, ReadonlyArray<CompiledLimit>>>
  /** Whether the rules neither refuse nor count a send of a use. */
  readonly isFree: Readonly<Record<Use, boolean>>
  /** The verdict on a send for which nothing is counted. */
  readonly passed: Extract<Verdict, { readonly _tag: "Passed" }>
}

const known = new WeakMap<Rules, CompiledRules>()

/** Compiles the same rules once. */
export const compile = (rules: Rules): CompiledRules => {
  const before = known.get(rules)
  if (before !== undefined) return before
  const { action = "record", countries, numbers, pumping, sandbox_under_way } = rules
  const limitsFor = (all: ReadonlyArray<Limit>) => (use: Use) =>
    all.filter((limit) => holdsFor(limit.for ?? rules.for, use)).map((limit) => compileLimit({ action, ...limit }))
  const { limits: written = [] } = rules
  const limits = byUse(limitsFor(written))
  const isFree = (use: Use): boolean =>
    limits[use].length === 0 && !(holdsFor(rules.for, use) && (countries ?? numbers ?? pumping) !== undefined)
  const compiled = {
    rules,
    limits,
    exceptional: byUse(limitsFor(written.flatMap((limit) => exceptional(limit) ?? []))),
    isFree: byUse(isFree),
    passed: sandbox_under_way === undefined ? passed : { ...passed, bounds: { sandbox_under_way } }
  }
  known.set(rules, compiled)
  return compiled
}

const byUse = <A>(of: (use: Use) => A): Readonly<Record<Use, A>> => ({
  verifications: of("verifications"),
  sends: of("sends")
})
