/**
 * The newest deliveries of all accounts, and counts of them.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import { NewestSql, type Partitions, WIDTH, reading } from "@watchword/store/sql"
import type { Service } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import { type Connection, numbered, rowsOf } from "./Connection.ts"
import { RECORD, parse } from "./Records.ts"

export const make = (
  connection: Connection,
  partitions: Partitions
): Pick<Service, "newestDeliveries" | "countDeliveries"> => ({
  newestDeliveries: Effect.fnUntraced(function* (query) {
    const [reached] = yield* connection.run(() => [numbered(NewestSql.reachOf(query))])
    const last = rowsOf<{ readonly id: DeliveryId }>(reached)[0]?.id
    const { text, values } = NewestSql.newest(query, last, partitions)
    const page = `SELECT ${RECORD} AS record FROM (SELECT d.id FROM deliveries d WHERE ${text}) page
      CROSS JOIN deliveries d ON d.id = page.id CROSS JOIN accounts a ON a.n = d.partition / 512 ORDER BY d.id DESC`
    const [found] = yield* connection.run(() => [numbered({ text: page, values })])
    const rows = yield* reading(() =>
      rowsOf<{ readonly record: string }>(found).map(({ record }) => parse(partitions, record))
    )
    return { rows, next: NewestSql.nextOf(query, rows, last) }
  }),

  countDeliveries: (query) => {
    const sql = NewestSql.counts(query, partitions, [WIDTH])
    if (sql === null) return Effect.succeed([])
    return Effect.map(
      connection.run(() => [numbered(sql)]),
      ([found]) =>
        rowsOf<{ readonly kind: number; readonly status: string; readonly n: number }>(found).map(
          ({ kind, n, status }) => NewestSql.decodeCount(partitions, [kind, status, n])
        )
    )
  }
})
