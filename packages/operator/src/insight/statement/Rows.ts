/**
 * The rows of a statement: each credit and debit, then the sums of sends and refunds.
 */
import type { Sums } from "./Sums.ts"

export interface Row {
  /** The day in UTC; empty for a sum of the month. */
  readonly date: string
  readonly item: "credit" | "debit" | "further credits" | "further debits" | "sends" | "refunds"
  readonly channel: string
  readonly country: string
  readonly count: number
  /** EUR that the balance changed by. */
  readonly amount: number
  readonly note: string
}

/** All rows, which add up to the change of the balance. */
export const rowsOf = (
  sums: Pick<Sums, "adjustments" | "credits" | "debits" | "refunds" | "sends">
): ReadonlyArray<Row> => [
  ...sums.adjustments.map(({ amount, at, id, kind, reason }) => ({
    ...NOTHING,
    date: new Date(at).toISOString().slice(0, 10),
    item: kind === "credit" ? ("credit" as const) : ("debit" as const),
    count: 1,
    amount: (kind === "credit" ? amount : -amount) / 1_000_000,
    note: reason ?? id
  })),
  ...further(sums, "credits"),
  ...further(sums, "debits"),
  ...sums.sends.map((line) => rowOf("sends", line)),
  ...sums.refunds.map((line) => rowOf("refunds", line))
]

const NOTHING = { date: "", channel: "", country: "", note: "" }

/** The credits or debits that are not listed one by one. */
const further = (
  { adjustments, ...sums }: Pick<Sums, "adjustments" | "credits" | "debits">,
  name: "credits" | "debits"
): ReadonlyArray<Row> => {
  const listed = adjustments.filter(({ kind }) => `${kind}s` === name)
  const count = sums[name].count - listed.length
  if (count === 0) return []
  const before = listed.reduce((sum, { amount }) => sum + (name === "credits" ? amount : -amount), 0)
  return [{ ...NOTHING, item: `further ${name}`, count, amount: (sums[name].micros - before) / 1_000_000 }]
}

const rowOf = (item: "sends" | "refunds", { channel, count, country, micros }: Sums["sends"][number]): Row => ({
  ...NOTHING,
  item,
  channel,
  country,
  count,
  amount: micros / 1_000_000
})
