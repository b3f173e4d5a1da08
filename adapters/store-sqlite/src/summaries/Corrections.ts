/**
 * What has changed beside the blocks since they were built.
 */
import type { Database } from "better-sqlite3"
import type { Sql } from "@watchword/store-sql/Conditions"
import * as Statements from "../Statements.ts"

/** For each block that is not as it was built: by how much its count of some records is wrong. */
export type Corrections = ReadonlyMap<number, number>

/** Finds the block that a record is listed in, among the sealed. */
export const BLOCK =
  "(SELECT b.block FROM blocks b WHERE b.drawer = deliveries.drawer AND b.last >= listed_at ORDER BY b.last LIMIT 1)"

export const make = (db: Database) => {
  const selectAny = db
    .prepare<[{ drawer: number }], number>(
      `SELECT EXISTS (SELECT 1 FROM retired WHERE drawer = @drawer) OR EXISTS (SELECT 1 FROM loose WHERE drawer = @drawer)`
    )
    .pluck()
  const summing = Statements.remembering<readonly [block: number, change: number]>(db)

  /** The corrections for the records of a drawer that meet a condition. */
  return (drawer: number, met: Sql): Corrections => {
    const corrections = new Map<number, number>()
    if (selectAny.get({ drawer }) === 0) return corrections
    const changes = summing(
      `SELECT block, -total(${met.text}) FROM retired WHERE drawer = ? GROUP BY block
       UNION ALL
       SELECT ${BLOCK} AS block, total(${met.text}) FROM deliveries
       WHERE n IN (SELECT l.n FROM loose l WHERE l.drawer = ?) GROUP BY block`
    )
    for (const [block, change] of changes.all(...met.values, drawer, ...met.values, drawer)) {
      corrections.set(block, (corrections.get(block) ?? 0) + change)
    }
    return corrections
  }
}
