import type { Product } from "@watchword/schemas/Channel"
import type { Delivery } from "@watchword/store/Delivery"
import type { Report, Target } from "@watchword/store/Store"
import { fit } from "@watchword/store/Transitions"
import type { Database } from "better-sqlite3"
import { decodeDetails } from "./Deliveries.ts"
import { channelCode } from "@watchword/store-sql/Partitions"

/** A report about a part, before anyone knows whose part that is. */
export interface ParkedReport extends Report {
  readonly target: Extract<Target, { readonly _tag: "Part" }>
}

type Row = readonly [
  n: number,
  refs: string,
  to: string | null,
  reference: number | null,
  status: string,
  rank: number,
  conditions: string,
  details: string,
  everyPart: number,
  refund: number,
  at: number
]

export type Parked = ReturnType<typeof make>

/** Reports that wait for a `close` to say whom they are about. */
export const make = (db: Database) => {
  const some = db.prepare<[], number>("SELECT EXISTS (SELECT 1 FROM parked)").pluck()
  const insertReport = db.prepare(
    `INSERT INTO parked (channel, refs, recipient, reference, status, rank, conditions, details, every_part, refund, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  )
  const insertRef = db.prepare("INSERT INTO parked_refs (channel, ref, parked) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
  const selectByRef = db
    .prepare<[number, string], number>("SELECT parked FROM parked_refs WHERE channel = ? AND ref = ?")
    .pluck()
  const selectReport = db
    .prepare<[number], Row>(
      "SELECT n, refs, recipient, reference, status, rank, conditions, details, every_part, refund, at FROM parked WHERE n = ?"
    )
    .raw()
  const deleteReport = db.prepare("DELETE FROM parked WHERE n = ?")
  const deleteRef = db.prepare("DELETE FROM parked_refs WHERE channel = ? AND ref = ? AND parked = ?")
  const selectOld = db
    .prepare<[number, number], readonly [n: number, channel: number, refs: string]>(
      "SELECT n, channel, refs FROM parked WHERE at < ? ORDER BY at LIMIT +?"
    )
    .raw()

  /** Whether there are any; null before a transaction has looked. */
  let areSome: boolean | null = null

  /** Begins a transaction: others may have parked reports, or taken them. */
  const begin = (): void => {
    areSome = null
  }

  const park = ({ at, details, everyPart, refund, status, target, when }: ParkedReport): void => {
    areSome = true
    const channel = channelCode(target.channel)
    const { lastInsertRowid } = insertReport.run(
      channel,
      JSON.stringify(target.refs),
      target.message.to,
      target.message.reference,
      status?.name ?? "",
      status?.rank ?? NO_STATUS,
      JSON.stringify(when),
      JSON.stringify(details),
      everyPart ? 1 : 0,
      refund ? 1 : 0,
      at
    )
    for (const ref of target.refs) insertRef.run(channel, ref, lastInsertRowid)
  }

  const remove = (n: number, channel: number, refs: ReadonlyArray<string>): void => {
    deleteReport.run(n)
    for (const ref of refs) deleteRef.run(channel, ref, n)
  }

  /** Takes out the reports that were parked under any of these refs and fit the delivery, in their order. */
  const unpark = (delivery: Delivery, refs: ReadonlyArray<string>): ReadonlyArray<ParkedReport> => {
    areSome ??= some.get() === 1
    if (refs.length === 0 || !areSome) return []
    const { channel } = delivery
    const code = channelCode(channel)
    const fits = ({ target }: ParkedReport) =>
      target.refs.some((ref, index) => refs.includes(ref) && fit(delivery, target.message, index === 0) !== "not")
    const found = new Set(refs.flatMap((ref) => selectByRef.all(code, ref)))
    return [...found]
      .sort((a, b) => a - b)
      .flatMap((n) => {
        const row = selectReport.get(n)
        if (row === undefined) return []
        const report = decode(channel, row)
        if (!fits(report)) return []
        remove(n, code, report.target.refs)
        return [report]
      })
  }

  /** Forgets some reports that were parked before a time; answers how many. */
  const sweep = (before: number, limit: number): number => {
    const old = selectOld.all(before, limit)
    for (const [n, channel, refs] of old) remove(n, channel, decodeRefs(refs))
    return old.length
  }

  return { begin, park, unpark, sweep }
}

/** The rank in the row of a report that leaves the status. */
const NO_STATUS = -1

const decode = (
  channel: Product,
  [, refs, to, reference, name, rank, conditions, details, everyPart, refund, at]: Row
): ParkedReport => ({
  target: { _tag: "Part", channel, refs: decodeRefs(refs), message: { to, reference } },
  status: rank === NO_STATUS ? null : { name, rank },
  when: decodeDetails(conditions),
  details: decodeDetails(details),
  everyPart: everyPart === 1,
  refund: refund === 1,
  at
})

const decodeRefs = (json: string): ReadonlyArray<string> => JSON.parse(json)
