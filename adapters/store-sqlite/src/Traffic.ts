import { type TrafficQuery, type TrafficRow, type TrafficSum, keptSince } from "@watchword/store/Traffic"
import {
  TRAFFIC_TABLES,
  decodeTraffic,
  deleteTraffic,
  encodeTraffic,
  sqliteAddTraffic,
  sqliteSelectTraffic,
  trafficParameters
} from "@watchword/store/sql"
import type { Database } from "better-sqlite3"

export type Traffic = ReturnType<typeof make>

/** The traffic roll-up. Queries are made now and then, so their statements are not kept. */
export const make = (db: Database) => {
  const upserts = TRAFFIC_TABLES.map((table) => ({
    table,
    statement: db.prepare<[{ readonly 1: string }]>(sqliteAddTraffic(table))
  }))
  const deletions = TRAFFIC_TABLES.map((table) => db.prepare<[{ readonly 1: number }]>(deleteTraffic(table, "?1")))

  const add = (rows: ReadonlyArray<TrafficRow>): void => {
    const encoded = encodeTraffic(rows)
    for (const { statement, table } of upserts) statement.run({ 1: encoded[table] })
  }

  const select = (query: TrafficQuery): ReadonlyArray<TrafficSum> => {
    const [since, daysFrom, daysUntil, until, account] = trafficParameters(query)
    return db
      .prepare<[Readonly<Record<1 | 2 | 3 | 4, number>> & { readonly 5: string | null }], string>(
        sqliteSelectTraffic(query.by)
      )
      .pluck()
      .all({ 1: since, 2: daysFrom, 3: daysUntil, 4: until, 5: account })
      .map((sums) => decodeTraffic(query.by)(JSON.parse(sums)))
  }

  const sweep = (at: number): void => {
    for (const deletion of deletions) deletion.run({ 1: keptSince(at) })
  }

  return { add, select, sweep }
}
