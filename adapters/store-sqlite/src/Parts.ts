import type { Product } from "@watchword/schemas/Channel"
import type { Partitions } from "@watchword/store/sql"
import type { Database } from "better-sqlite3"
import { COLUMNS, type Deliveries, type Row, type Stored } from "./Deliveries.ts"

export type Parts = ReturnType<typeof make>

/** The parts of deliveries by the refs of gateways, and the statuses that each part has reported. */
export const make = (db: Database, { codeOf }: Partitions, deliveries: Deliveries) => {
  // The plus signs hide the parameters from SQLite's planner, which would plan a join again for each value.
  const select = db
    .prepare<[number, string], readonly [name: string | null, ...row: Row]>(
      `SELECT name, ${COLUMNS} FROM parts CROSS JOIN deliveries ON n = delivery WHERE channel = +? AND ref = +?`
    )
    .raw()
  const insert = db.prepare(
    `INSERT INTO parts (channel, ref, delivery, name) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET delivery = excluded.delivery, name = excluded.name`
  )
  const selectReporters = db
    .prepare<[number, string], string>("SELECT part FROM part_reports WHERE delivery = ? AND status = ?")
    .pluck()
  const insertReport = db.prepare("INSERT INTO part_reports (delivery, status, part) VALUES (?, ?, ?)")
  const deleteReports = db.prepare("DELETE FROM part_reports WHERE delivery = ? AND status = ?")

  /** The name of the part that a ref belongs to, and its delivery. */
  const find = (channel: Product, ref: string): { readonly name: string; readonly stored: Stored } | undefined => {
    const found = select.get(codeOf(channel), ref)
    if (found === undefined) return undefined
    const [name, ...row] = found
    return { name: name ?? ref, stored: deliveries.decode(row) }
  }

  /** Lets a ref belong to a part of a delivery. */
  const put = (channel: Product, ref: string, delivery: number, name: string): void => {
    // Null if the part's name is the ref itself.
    insert.run(codeOf(channel), ref, delivery, name === ref ? null : name)
  }

  const reporters = (delivery: number, status: string): ReadonlyArray<string> => selectReporters.all(delivery, status)

  const report = (delivery: number, status: string, part: string): void => {
    insertReport.run(delivery, status, part)
  }

  /** Deletes who has reported a status, once all have. */
  const complete = (delivery: number, status: string): void => {
    deleteReports.run(delivery, status)
  }

  return { find, put, reporters, report, complete }
}
