import { type Added, type Bucket, type Counted, type Counter, counted } from "@watchword/store/Counters"
import type { Database } from "better-sqlite3"

export type Counters = ReturnType<typeof make>

/** Buckets of counters. */
export const make = (db: Database) => {
  const select = db.prepare<[string, number], Bucket>("SELECT until, amount FROM counters WHERE key = ? AND until > ?")
  const add = db.prepare(
    `INSERT INTO counters (key, until, amount) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`
  )
  const take = db.prepare("UPDATE counters SET amount = amount - ? WHERE key = ? AND until = ?")
  const deleteEmpty = db.prepare("DELETE FROM counters WHERE key = ? AND until = ? AND amount <= 0")
  const deleteOver = db.prepare(
    `DELETE FROM counters WHERE (key, until) IN
       (SELECT key, until FROM counters WHERE until <= @now ORDER BY until LIMIT +@limit)`
  )

  const count = (counters: ReadonlyArray<Counter>, now: number): Counted => {
    const answer = counted(counters, (key) => select.all(key, now), now)
    for (const { amount, key, until } of answer.added) add.run(key, until, amount)
    return answer
  }

  const uncount = (added: ReadonlyArray<Added>): void => {
    for (const { amount, key, until } of added) {
      take.run(amount, key, until)
      deleteEmpty.run(key, until)
    }
  }

  /** Deletes some buckets that are over; answers how many. */
  const sweep = (now: number, limit: number): number => deleteOver.run({ now, limit }).changes

  return { count, uncount, sweep }
}
