import type { Product } from "@watchword/schemas/Channel"
import type { Database } from "better-sqlite3"
import { channelCode } from "@watchword/store-sql/Partitions"

/** A part of a delivery under the name that it was first known by. */
export interface Part {
  readonly delivery: number
  readonly name: string
}

export type Parts = ReturnType<typeof make>

/** What gateways call the parts of deliveries, and which parts have reported what. */
export const make = (db: Database) => {
  const select = db
    .prepare<[number, string], Row>("SELECT delivery, name FROM parts WHERE channel = ? AND ref = ?")
    .raw()
  const insertOrReplace = db.prepare("INSERT OR REPLACE INTO parts (channel, ref, delivery, name) VALUES (?, ?, ?, ?)")
  // Null where the part's name is the ref itself.
  const assign = db.prepare(
    `INSERT INTO parts (channel, ref, delivery) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET delivery = excluded.delivery, name = NULL WHERE delivery != excluded.delivery`
  )
  const insertReport = db.prepare(
    "INSERT INTO part_reports (delivery, status, part) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
  )
  const countReports = db
    .prepare<[number, string], number>("SELECT count(*) FROM part_reports WHERE delivery = ? AND status = ?")
    .pluck()
  const deleteReports = db.prepare("DELETE FROM part_reports WHERE delivery = ? AND status = ?")

  const find = (channel: Product, ref: string): Part | undefined => {
    const row = select.get(channelCode(channel), ref)
    return row && { delivery: row[0], name: row[1] ?? ref }
  }

  /** Receipts for this ref reach the delivery from now on. */
  const add = (channel: Product, delivery: number, ref: string): void => {
    assign.run(channelCode(channel), ref, delivery)
  }

  /** One part under the spelling it came with, and under its others where no part has them. */
  const addOne = (channel: Product, delivery: number, spellings: ReadonlyArray<string>): Part => {
    const name = spellings[0] ?? ""
    const isFree = (ref: string, index: number): boolean => {
      const part = find(channel, ref)
      return part === undefined || (index === 0 && part.delivery !== delivery)
    }
    for (const ref of spellings.filter(isFree)) insertOrReplace.run(channelCode(channel), ref, delivery, name)
    return { delivery, name }
  }

  /** Notes what a part of several reported; true when all have reported the same. */
  const complete = ({ delivery, name }: Part, status: string, of: number): boolean => {
    if (of <= 1) return true
    insertReport.run(delivery, status, name)
    if ((countReports.get(delivery, status) ?? 0) < of) return false
    deleteReports.run(delivery, status)
    return true
  }

  return { find, add, addOne, complete }
}

type Row = readonly [delivery: number, name: string | null]
