import { AMOUNTS, type Count, type TrafficKey, type TrafficRow } from "@watchword/store/Traffic"
import { PLACE } from "./Measures.ts"

/** Rows of traffic that are being counted. */
export class Rows {
  readonly #rows = new Map<string, { readonly key: TrafficKey; readonly amounts: Array<number> }>()

  /** The amounts of a row, which begin at zero; null for a new row beyond the most that there may be. */
  amountsOf(key: TrafficKey, most = Number.POSITIVE_INFINITY): Array<number> | null {
    const name = `${key.hour} ${key.account} ${key.mode} ${key.channel} ${key.country} ${key.carrier}`
    const found = this.#rows.get(name)
    if (found !== undefined) return found.amounts
    if (this.#rows.size >= most) return null
    const amounts = Array.from<number>({ length: AMOUNTS }).fill(0)
    this.#rows.set(name, { key, amounts })
    return amounts
  }

  /** Adds one to counts of a row, or with -1 takes it away. */
  count(key: TrafficKey, counts: ReadonlyArray<Count>, sign: 1 | -1, most?: number): void {
    const amounts = this.amountsOf(key, most)
    if (amounts === null) return
    for (const count of counts) amounts[PLACE[count]] = (amounts[PLACE[count]] ?? 0) + sign
  }

  /** Adds rows, or with -1 takes them away. */
  add(rows: Iterable<TrafficRow>, sign: 1 | -1 = 1, most?: number): void {
    for (const { amounts, key } of rows) {
      const sums = this.amountsOf(key, most)
      if (sums === null) continue
      for (const [place, amount] of amounts.entries()) sums[place] = (sums[place] ?? 0) + sign * amount
    }
  }

  /** The rows with an amount. */
  all(): ReadonlyArray<TrafficRow> {
    return [...this.#rows.values()].filter(({ amounts }) => amounts.some((amount) => amount !== 0))
  }
}
