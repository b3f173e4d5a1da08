/**
 * The table at the end: rounds and violations of each kind of fault.
 */
import type { Found, Round } from "./Batch.ts"

export const printTable = (rounds: ReadonlyArray<Round>, found: ReadonlyArray<Found>): void => {
  const rows = [...Map.groupBy(rounds, ({ kind }) => kind)].map(([kind, of]) => {
    const own = found.filter(({ round }) => round.kind === kind)
    const rules = [...Map.groupBy(own, ({ rule }) => rule)].map(([rule, each]) => `${rule} ${each.length}`)
    return [kind, { rounds: of.length, violations: own.length, rules: rules.join(", ") }] as const
  })
  console.table(Object.fromEntries(rows))
}
