/**
 * The newest deliveries of all accounts, and counts of them.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import { isSparse } from "@watchword/store/Listing"
import { FINE_WIDTH, NewestSql, type Partitions, WIDTH } from "@watchword/store/sql"
import type { Counting, Found, Newest, StatusCount } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"
import { COLUMNS, type Deliveries, type Row } from "./Deliveries.ts"
import * as Sparse from "./Sparse.ts"
import * as Statements from "./Statements.ts"

export interface Newests {
  readonly newest: (query: Newest) => Found
  readonly counts: (query: Counting) => ReadonlyArray<StatusCount>
}

export const make = (
  db: Database,
  deliveries: Deliveries,
  accounts: AccountNumbers,
  partitions: Partitions
): Newests => {
  const sparse = Sparse.make(db, accounts, partitions)
  const reaching = Statements.cached<readonly [id: DeliveryId]>(db)
  const reading = Statements.cached<Row>(db)
  const counting = Statements.cached<NewestSql.CountRow>(db)

  const newest = (query: Newest): Found => {
    const reach = NewestSql.reachOf(query)
    const [last] = reaching(reach.text).get(...reach.values) ?? []
    const { text, values } = NewestSql.newest(query, last, partitions)
    const found = reading(`SELECT ${COLUMNS} FROM deliveries d WHERE ${text}`).all(...values)
    const all = last !== undefined && isSparse(query, found.length) ? sparse(query) : null
    const rows = (all ?? found).map((row) => deliveries.decode(row).delivery)
    return { rows, next: NewestSql.nextOf(query, rows, all === null ? last : undefined) }
  }

  const counts: Newests["counts"] = (query) => {
    const sql = NewestSql.counts(query, partitions, [WIDTH, FINE_WIDTH])
    if (sql === null) return []
    return counting(sql.text)
      .all(...sql.values)
      .map((row) => NewestSql.decodeCount(partitions, row))
  }

  // All rows are from the same moment, whatever other processes write.
  return { newest: db.transaction(newest), counts }
}
