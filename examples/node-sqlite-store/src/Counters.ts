/**
 * Sums over sliding windows.
 */
import { type Bucket, counted } from "@watchword/store/Counters"
import type { CounterStore } from "@watchword/store/Store"
import type { Database } from "./Database.ts"
import { now, transact } from "./Transaction.ts"

export const countersOf = (database: Database): CounterStore => {
  const { all, run } = database
  const bucketsOf = (key: string) =>
    all<Bucket>("SELECT json_object('until', until, 'amount', amount) FROM counters WHERE key = ?", key)
  return {
    count: (counters) =>
      transact(database)(() => {
        const at = now(database)
        const answer = counted(counters, bucketsOf, at)
        for (const { amount, key, until } of answer.added) {
          run(
            `INSERT INTO counters (key, until, amount) VALUES (?, ?, ?)
             ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`,
            key,
            until,
            amount
          )
        }
        return answer
      }),
    uncount: (added) =>
      transact(database)(() => {
        for (const { amount, key, until } of added) {
          run("UPDATE counters SET amount = amount - ? WHERE key = ? AND until = ?", amount, key, until)
          run("DELETE FROM counters WHERE key = ? AND until = ? AND amount <= 0", key, until)
        }
      })
  }
}
