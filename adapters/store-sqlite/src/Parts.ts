import type { Product } from "@watchword/schemas/Channel"
import type { Database } from "better-sqlite3"
import { channelCode } from "@watchword/store-sql/Partitions"
import { hashOf } from "@watchword/store/TextMap"
import type { Intake, Table } from "./Intake.ts"

/** A part of a delivery under the name that it was first known by. */
export interface Part {
  readonly delivery: number
  readonly name: string
}

export type Parts = ReturnType<typeof make>

export const TABLE: Table<number, string> = {
  name: "parts",
  columns: ["channel", "ref", "delivery", "name"],
  // As the database has them, which cannot write half a surrogate pair.
  hashOf: (channel, ref) => hashOf(ref.toWellFormed(), channel),
  isSame: ([channel, ref], [other, otherRef]) => channel === other && ref.toWellFormed() === otherRef.toWellFormed(),
  // Gateways that count give refs that begin alike, in their order already.
  orderOf: (channel, ref) => {
    let order = channel % 4
    for (let at = 0; at < 4; at++) order = order * 64 + (at < ref.length ? ref.charCodeAt(at) % 64 : 0)
    return order
  }
}

/** What gateways call the parts of deliveries, and which parts have reported what. */
export const make = (db: Database, intake: Intake<number, string>) => {
  const selectFromLog = db.prepare<[number], Row>("SELECT delivery, name FROM parts_log WHERE seq = ?").raw()
  const select = db
    .prepare<[number, string], Row>("SELECT delivery, name FROM parts WHERE channel = ? AND ref = ?")
    .raw()
  const insertReport = db.prepare(
    "INSERT INTO part_reports (delivery, status, part) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
  )
  const countReports = db
    .prepare<[number, string], number>("SELECT count(*) FROM part_reports WHERE delivery = ? AND status = ?")
    .pluck()
  const deleteReports = db.prepare("DELETE FROM part_reports WHERE delivery = ? AND status = ?")

  const find = (channel: Product, ref: string): Part | undefined => {
    const code = channelCode(channel)
    const seq = intake.find(code, ref)
    const row = (seq === undefined ? undefined : selectFromLog.get(seq)) ?? select.get(code, ref)
    return row && { delivery: row[0], name: row[1] ?? ref }
  }

  /** Receipts for this ref reach the delivery from now on; false when they did already. */
  const add = (channel: Product, delivery: number, ref: string): boolean => {
    return find(channel, ref)?.delivery !== delivery && addNew(channel, delivery, ref)
  }

  /** The same for a delivery that has no part yet. */
  const addNew = (channel: Product, delivery: number, ref: string): true => {
    intake.put(channelCode(channel), ref, delivery, null)
    return true
  }

  /** One part under the spelling it came with, and under its others where no part has them. */
  const addOne = (channel: Product, delivery: number, spellings: ReadonlyArray<string>): Part => {
    const name = spellings[0] ?? ""
    const isFree = (ref: string, index: number): boolean => {
      const part = find(channel, ref)
      return part === undefined || (index === 0 && part.delivery !== delivery)
    }
    for (const ref of spellings.filter(isFree)) intake.put(channelCode(channel), ref, delivery, name)
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

  return { find, add, addNew, addOne, complete }
}

type Row = readonly [delivery: number, name: string | null]
