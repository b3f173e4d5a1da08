/**
 * The table at the end: rounds and violations of each kind of fault.
 */
import type { Found, Outcome, Round } from "./Batch.ts"

export const printTable = (
  rounds: ReadonlyArray<Round>,
  found: ReadonlyArray<Found>,
  pauses: Outcome["pauses"]
): void => {
  const rows = [...Map.groupBy(rounds, ({ kind }) => kind)].map(([kind, of]) => {
    const own = found.filter(({ round }) => round.kind === kind)
    const rules = [...Map.groupBy(own, ({ rule }) => rule)].map(([rule, each]) => `${rule} ${each.length}`)
    const seconds = pauses
      .filter(({ round }) => round.kind === kind)
      .map(({ pause }) => pause / 1_000)
      .sort((one, other) => one - other)
    return [
      kind,
      {
        rounds: of.length,
        violations: own.length,
        rules: rules.join(", "),
        ...(seconds.length === 0
          ? {}
          : { pause: seconds[seconds.length >> 1]?.toFixed(1), longest: seconds.at(-1)?.toFixed(1) })
      }
    ] as const
  })
  console.table(Object.fromEntries(rows))
}
