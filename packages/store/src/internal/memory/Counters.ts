import { type Bucket, type Counted, type Counter, counted, untilOf } from "../../Counters.ts"

/** Buckets of counters by their keys and ends. */
export const make = () => {
  const rows = new Map<string, Map<number, Bucket>>()

  const bucketsOf = (key: string): ReadonlyArray<Bucket> => [...(rows.get(key)?.values() ?? [])]

  const count = (counters: ReadonlyArray<Counter>, now: number): Counted => {
    const answer = counted(counters, bucketsOf, now)
    if (answer.counted) for (const counter of counters) if (counter.amount > 0) add(counter, untilOf(counter, now))
    return answer
  }

  const add = ({ amount, key }: Counter, until: number): void => {
    const buckets = rows.get(key) ?? new Map<number, Bucket>()
    rows.set(key, buckets.set(until, { until, amount: (buckets.get(until)?.amount ?? 0) + amount }))
  }

  const sweep = (now: number): void => {
    for (const [key, buckets] of rows) {
      for (const { until } of buckets.values()) if (until <= now) buckets.delete(until)
      if (buckets.size === 0) rows.delete(key)
    }
  }

  return { count, sweep }
}
