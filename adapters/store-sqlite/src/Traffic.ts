import { type TrafficQuery, type TrafficRow, type TrafficSum, keptSince } from "@watchword/store/internal/Traffic"
import {
  decodeTraffic,
  encodeTraffic,
  sqliteAddTraffic,
  sqliteSelectTraffic
} from "@watchword/store/internal/sql/TrafficSql"
import type { Database } from "better-sqlite3"

export type Traffic = ReturnType<typeof make>

/** The traffic roll-up. Queries are made now and then, so their statements are not kept. */
export const make = (db: Database) => {
  const upsert = db.prepare<[{ readonly 1: string }]>(sqliteAddTraffic)
  const deleteOld = db.prepare("DELETE FROM traffic WHERE hour < ?")

  const add = (rows: ReadonlyArray<TrafficRow>): void => void upsert.run({ 1: encodeTraffic(rows) })

  const select = ({ account, by, since, until }: TrafficQuery): ReadonlyArray<TrafficSum> =>
    db
      .prepare<[{ readonly 1: number; readonly 2: number; readonly 3: string | null }], string>(sqliteSelectTraffic(by))
      .pluck()
      .all({ 1: since, 2: until, 3: account })
      .map((sums) => decodeTraffic(by)(JSON.parse(sums)))

  const sweep = (at: number): void => void deleteOld.run(keptSince(at))

  return { add, select, sweep }
}
