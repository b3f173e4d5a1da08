import { type Added, type Bucket, type Counted, type Counter, counted } from "../../Counters.ts"

/** Buckets of counters by their keys and ends. */
export const make = () => {
  const rows = new Map<string, Map<number, Bucket>>()

  const bucketsOf = (key: string): ReadonlyArray<Bucket> => [...(rows.get(key)?.values() ?? [])]

  const count = (counters: ReadonlyArray<Counter>, now: number): Counted => {
    const answer = counted(counters, bucketsOf, now)
    for (const { amount, key, until } of answer.added) {
      const buckets = rows.get(key) ?? new Map<number, Bucket>()
      rows.set(key, buckets.set(until, { until, amount: (buckets.get(until)?.amount ?? 0) + amount }))
    }
    return answer
  }

  const uncount = (added: ReadonlyArray<Added>): void => {
    for (const { amount, key, until } of added) {
      const buckets = rows.get(key)
      const left = (buckets?.get(until)?.amount ?? 0) - amount
      if (left > 0) buckets?.set(until, { until, amount: left })
      else buckets?.delete(until)
    }
  }

  const sweep = (now: number): void => {
    for (const [key, buckets] of rows) {
      for (const { until } of buckets.values()) if (until <= now) buckets.delete(until)
      if (buckets.size === 0) rows.delete(key)
    }
  }

  return { count, uncount, sweep }
}
