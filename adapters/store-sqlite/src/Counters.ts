import { type Added, type Bucket, type Counted, type Counter, counted } from "@watchword/store/Counters"
import type { Database } from "better-sqlite3"

export type Counters = ReturnType<typeof make>

/** Sweeps continue as long as at least one in this many rows has ended. */
const SHARE = 10

/**
 * Counter buckets, ordered only by their keys: an index of their ends would double the pages that a request changes,
 * which adds a fifth to the CPU of a send with five limits (`npm run bench -- guards`). Instead sweeps go through all
 * keys, each starting where the previous one stopped, so that at most about a tenth of all buckets have ended.
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

  /** Deletes the ended buckets among the next `limit`; returns whether there were enough of them to continue. */
  const sweep = (now: number, limit: number): boolean => {
    const last = selectKey.get(swept, limit - 1)
    const { changes } = deleteOver.run(swept, last ?? LAST, now)
    swept = last ?? FIRST
    return changes * SHARE >= limit
  }

  return { count, uncount, sweep }
}

/** Sort before and after all keys, which consist of visible ASCII characters. */
const FIRST = ""
const LAST = "\u007f"
