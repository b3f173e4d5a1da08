import { type Added, type Bucket, type Counted, type Counter, counted } from "@watchword/store/Counters"
import type { Database } from "better-sqlite3"

export type Counters = ReturnType<typeof make>

/** Sweeps continue while one row of so many that they look at is over. */
const SHARE = 10

/**
 * Buckets of counters, in the order of their keys only: an index of their ends would double the pages that a request
 * changes, which takes a fifth more CPU of a send with five limits (`npm run bench -- guards`). Sweeps go through all
 * keys instead, each from where the last one has stopped, so that at most about a tenth of all buckets are over.
 */
export const make = (db: Database) => {
  const select = db
    .prepare<[string, number], readonly [until: number, amount: number]>(
      "SELECT until, amount FROM counters WHERE key = ? AND until > ?"
    )
    .raw()
  const add = db.prepare(
    `INSERT INTO counters (key, until, amount) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`
  )
  const take = db.prepare("UPDATE counters SET amount = amount - ? WHERE key = ? AND until = ?")
  const deleteEmpty = db.prepare("DELETE FROM counters WHERE key = ? AND until = ? AND amount <= 0")
  const selectKey = db
    .prepare<[string, number], string>("SELECT key FROM counters WHERE key > ? ORDER BY key LIMIT 1 OFFSET +?")
    .pluck()
  const deleteOver = db.prepare("DELETE FROM counters WHERE key > ? AND key <= ? AND until <= ?")
  let swept = FIRST

  const bucketsOf = (key: string, now: number): ReadonlyArray<Bucket> =>
    select.all(key, now).map(([until, amount]) => ({ until, amount }))

  const count = (counters: ReadonlyArray<Counter>, now: number): Counted => {
    const answer = counted(counters, (key) => bucketsOf(key, now), now)
    for (const { amount, key, until } of answer.added) add.run(key, until, amount)
    return answer
  }

  const uncount = (added: ReadonlyArray<Added>): void => {
    for (const { amount, key, until } of added) {
      take.run(amount, key, until)
      deleteEmpty.run(key, until)
    }
  }

  /**
   * Deletes those of some buckets that are over; answers whether they were enough for the next ones to be looked at,
   * too.
   */
  const sweep = (now: number, limit: number): boolean => {
    const last = selectKey.get(swept, limit - 1)
    const { changes } = deleteOver.run(swept, last ?? LAST, now)
    swept = last ?? FIRST
    return changes * SHARE >= limit
  }

  return { count, uncount, sweep }
}

/** Before and after all keys, which are of visible ASCII characters. */
const FIRST = ""
const LAST = "\u007f"
