import type { Product } from "@watchword/schemas/Channel"
import type { PartReport, Unmatched as Report } from "@watchword/store/step"
import type { Partitions } from "@watchword/store/sql"
import type { Database } from "better-sqlite3"
import { decodeDetails } from "./Deliveries.ts"

type Row = readonly [
  refs: string,
  to: string | null,
  reference: number | null,
  status: string | null,
  rank: number,
  conditions: string,
  details: string,
  everyPart: number,
  refund: number,
  at: number
]

export type Unmatched = ReturnType<typeof make>

/** Reports that no delivery matches yet, by their refs. */
export const make = (db: Database, { codeOf }: Partitions) => {
  const columns = "refs, recipient, reference, status, rank, conditions, details, every_part, refund, at"
  const insertReport = db.prepare(
    `INSERT INTO unmatched_reports (channel, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  )
  const insertRef = db.prepare(
    "INSERT INTO unmatched_refs (channel, ref, report) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
  )
  const selectByRef = db
    .prepare<[number, string], number>("SELECT report FROM unmatched_refs WHERE channel = ? AND ref = ?")
    .pluck()
  const selectReport = db.prepare<[number], Row>(`SELECT ${columns} FROM unmatched_reports WHERE n = ?`).raw()
  const deleteReport = db.prepare("DELETE FROM unmatched_reports WHERE n = ?")
  const deleteRef = db.prepare("DELETE FROM unmatched_refs WHERE channel = ? AND ref = ? AND report = ?")
  const selectOld = db
    .prepare<[number, number], readonly [n: number, channel: number, refs: string]>(
      "SELECT n, channel, refs FROM unmatched_reports WHERE at < ? ORDER BY at LIMIT +?"
    )
    .raw()
  const selectTo = db
    .prepare<[string], readonly [n: number, channel: number, refs: string]>(
      "SELECT n, channel, refs FROM unmatched_reports WHERE recipient = ?"
    )
    .raw()
  const selectExcess = db
    .prepare<[number, number, number], readonly [n: number, refs: string]>(
      "SELECT n, refs FROM unmatched_reports WHERE channel = ? ORDER BY at DESC, n DESC LIMIT +? OFFSET +?"
    )
    .raw()

  /** The reports that are kept under any of these refs, oldest first. */
  const find = (channel: Product, refs: ReadonlyArray<string>): ReadonlyArray<Report> => {
    const code = codeOf(channel)
    const found = new Set(refs.flatMap((ref) => selectByRef.all(code, ref)))
    if (found.size === 0) return []
    return [...found]
      .sort((a, b) => a - b)
      .flatMap((n) => {
        const row = selectReport.get(n)
        return row === undefined ? [] : [{ n, report: decode(channel, row) }]
      })
  }

  const keep = ({ at, details, everyPart, refund, status, target, when }: PartReport): void => {
    const channel = codeOf(target.channel)
    const { lastInsertRowid } = insertReport.run(
      channel,
      JSON.stringify(target.refs),
      target.message.to,
      target.message.reference,
      status?.name ?? null,
      status?.rank ?? 0,
      JSON.stringify(when),
      JSON.stringify(details),
      everyPart ? 1 : 0,
      refund ? 1 : 0,
      at
    )
    for (const ref of target.refs) insertRef.run(channel, ref, lastInsertRowid)
  }

  const remove = ({ n, report: { target } }: Report): void => removeRow(n, codeOf(target.channel), target.refs)

  const removeRow = (n: number, channel: number, refs: ReadonlyArray<string>): void => {
    deleteReport.run(n)
    for (const ref of refs) deleteRef.run(channel, ref, n)
  }

  /** Deletes some reports that were kept before a time; answers how many. */
  const sweep = (before: number, limit: number): number => {
    const old = selectOld.all(before, limit)
    for (const [n, channel, refs] of old) removeRow(n, channel, decodeRefs(refs))
    return old.length
  }

  /** Deletes the reports about a number; answers how many. */
  const forget = (to: string): number => {
    const about = selectTo.all(to)
    for (const [n, channel, refs] of about) removeRow(n, channel, decodeRefs(refs))
    return about.length
  }

  /** Deletes some reports of a channel beyond its latest ones; answers how many. */
  const trim = (channel: Product, most: number, limit: number): number => {
    const code = codeOf(channel)
    const excess = selectExcess.all(code, limit, most)
    for (const [n, refs] of excess) removeRow(n, code, decodeRefs(refs))
    return excess.length
  }

  return { find, keep, remove, sweep, forget, trim }
}

const decode = (
  channel: Product,
  [refs, to, reference, status, rank, conditions, details, everyPart, refund, at]: Row
): PartReport => ({
  target: { _tag: "Part", channel, refs: decodeRefs(refs), message: { to, reference } },
  status: status === null ? null : { name: status, rank },
  when: decodeDetails(conditions),
  details: decodeDetails(details),
  everyPart: everyPart === 1,
  refund: refund === 1,
  at
})

const decodeRefs = (json: string): ReadonlyArray<string> => JSON.parse(json)
