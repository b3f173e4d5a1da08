import { type Bucket, type Counted, type Counter, counted, untilOf } from "@watchword/store/Counters"
import type { Database } from "better-sqlite3"

export type Counters = ReturnType<typeof make>

/** Buckets of counters. */
export const make = (db: Database) => {
  const select = db.prepare<[string, number], Bucket>("SELECT until, amount FROM counters WHERE key = ? AND until > ?")
  const add = db.prepare(
    `INSERT INTO counters (key, until, amount) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`
  )
  const deleteOver = db.prepare(
    `DELETE FROM counters WHERE (key, until) IN
       (SELECT key, until FROM counters WHERE until <= @now ORDER BY until LIMIT +@limit)`
  )

  const count = (counters: ReadonlyArray<Counter>, now: number): Counted => {
    const answer = counted(counters, (key) => select.all(key, now), now)
    if (!answer.counted) return answer
    for (const counter of counters) {
      if (counter.amount > 0) add.run(counter.key, untilOf(counter, now), counter.amount)
    }
    return answer
  }

  /** Deletes some buckets that are over; answers how many. */
  const sweep = (now: number, limit: number): number => deleteOver.run({ now, limit }).changes

  return { count, sweep }
}
