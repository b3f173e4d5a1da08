/**
 * The database: an audit finds no violation, and the database contains no erased number.
 */
import { roundOf } from "../Load.ts"
import type { Evidence, Violation } from "../Evidence.ts"

export const audited = ({ audit, records }: Evidence): ReadonlyArray<Violation> =>
  audit.violations.map(({ id, message, rule }) => ({
    rule: `audit: ${rule}`,
    number: records.find((record) => message.includes(record.id) || id === record.id)?.to ?? null,
    what: `${id}: ${message}`
  }))

export const forgotten = ({ traces }: Evidence): ReadonlyArray<Violation> =>
  traces.map((what) => {
    const number = `+${what.split(" ")[0]}`
    return { rule: "forgotten", number: Number.isNaN(roundOf(number)) ? null : number, what }
  })

/** A list's total, which is counted separately, is the number of its records. */
export const listed = ({ records, totals }: Evidence): ReadonlyArray<Violation> =>
  totals.flatMap(({ channel, status, total }) => {
    const own = records.filter(
      (record) => record.channel === channel && (status ?? record.status.name) === record.status.name
    )
    return own.length === total
      ? []
      : [{ rule: "listed", number: null, what: `${own.length} ${channel} ${status ?? ""}, and a list says ${total}` }]
  })
