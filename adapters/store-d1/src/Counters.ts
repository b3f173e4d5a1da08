/**
 * Counters: one batch reads their buckets, and adds to them unless that would exceed a limit. D1 runs one batch after
 * the other.
 */
import { type Added, type Bucket, type Counter, counted } from "@watchword/store/Counters"
import type { Service } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { type Connection, NOW, type Statement, rowsOf } from "./Connection.ts"

export const make = (connection: Connection): Pick<Service, "count" | "uncount"> => ({
  count: (counters) =>
    Effect.map(
      connection.run(() => [select(counters), add(counters)]),
      ([found, added]) => {
        const [row = { now: 0, buckets: "[]" }] = rowsOf<FoundRow>(found)
        const buckets: ReadonlyArray<BucketRow> = JSON.parse(row.buckets)
        const { tallies } = counted(counters, bucketsIn(buckets), row.now)
        // The second statement decides: a bucket may have ended since the first.
        const rows = rowsOf<AddedRow>(added)
        const amounts = new Map(counters.map(({ amount, key }) => [key, amount]))
        return {
          counted: rows.length > 0 || counters.every(({ amount }) => amount === 0),
          tallies,
          added: rows.map(({ key, until }) => ({ key, until, amount: amounts.get(key) ?? 0 }))
        }
      }
    ),
  // Not repeated if D1 does not say whether it happened: repeating it would subtract twice.
  uncount: (added) => {
    const values = [JSON.stringify(added.map(({ amount, key, until }) => [key, until, amount]))]
    const taken = connection.once([take, deleteEmpty].map((sql) => ({ sql, values })))
    return Effect.asVoid(Effect.catchTag(taken, "Changed", Effect.die))
  }
})

type AddedRow = Pick<Added, "key" | "until">

interface FoundRow {
  readonly now: number
  /** {@link BucketRow}s as JSON. */
  readonly buckets: string
}

type BucketRow = readonly [key: string, until: number, amount: number]

const bucketsIn =
  (rows: ReadonlyArray<BucketRow>) =>
  (key: string): ReadonlyArray<Bucket> =>
    rows.filter(([each]) => each === key).map(([, until, amount]) => ({ until, amount }))

const select = (counters: ReadonlyArray<Counter>): Statement => ({
  sql: `SELECT ${NOW} AS now, (SELECT json_group_array(json_array(key, until, amount)) FROM counters
    WHERE key IN (SELECT value FROM json_each(?1)) AND until > ${NOW}) AS buckets`,
  values: [JSON.stringify(counters.map(({ key }) => key))]
})

/** Adds to all counters or to no counter; returns a row for each counter that it has added to. */
const add = (counters: ReadonlyArray<Counter>): Statement => ({
  sql: `WITH asked AS (
      SELECT value ->> 0 AS key, value ->> 1 AS lasts, value ->> 2 AS slice, value ->> 3 AS amount, value ->> 4 AS most
      FROM json_each(?1)
    )
    INSERT INTO counters (key, until, amount)
    SELECT key, (${NOW} / slice + 1) * slice + lasts, amount FROM asked
    WHERE NOT EXISTS (SELECT 1 FROM asked a WHERE a.amount + (SELECT coalesce(sum(c.amount), 0) FROM counters c
      WHERE c.key = a.key AND c.until > ${NOW}) > a.most)
    ON CONFLICT (key, until) DO UPDATE SET amount = amount + excluded.amount RETURNING key, until`,
  values: [
    JSON.stringify(
      counters
        .filter(({ amount }) => amount > 0)
        .map(({ amount, key, limit, slice, window }) => [key, window, slice, amount, limit])
    )
  ]
})

const ASKED = "(SELECT value ->> 0 AS key, value ->> 1 AS until, value ->> 2 AS amount FROM json_each(?1)) a"

const take = `UPDATE counters SET amount = counters.amount - a.amount FROM ${ASKED}
  WHERE counters.key = a.key AND counters.until = a.until`

const deleteEmpty = `DELETE FROM counters WHERE amount <= 0 AND (key, until) IN (SELECT a.key, a.until FROM ${ASKED})`
