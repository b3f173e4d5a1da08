/**
 * Records as they are read to be summarised: values alone.
 */
import type { Scalar } from "@watchword/pagination/Query"
import type { Details, Field } from "@watchword/store/Delivery"
import { isDetail, keyOf } from "@watchword/store/Listing"

export const COLUMNS = "n, listed_at, recipient, sender, status, price, parts, created_at, details"

export type Reading = readonly [
  n: number,
  listedAt: number,
  recipient: string,
  sender: string | null,
  status: string,
  price: number,
  parts: number,
  createdAt: number,
  details: string
]

const columns = { to: 2, from: 3, status: 4, price: 5, parts: 6, createdAt: 7 } as const
const DETAILS = 8

/** Fields that are read. */
export type ReadField = Exclude<Field, "id" | "statusAt">

export interface Values {
  /** The numbers of the records. */
  readonly numbers: ReadonlyArray<number>
  /** When the records are listed. */
  readonly times: ReadonlyArray<number>
  /** What each record has in a field. */
  readonly valuesOf: (field: ReadField) => ReadonlyArray<Scalar>
}

export const read = (rows: ReadonlyArray<Reading>): Values => {
  const details = rows.map((row): Details => JSON.parse(row[DETAILS]))

  const valuesOf = (field: ReadField): ReadonlyArray<Scalar> => {
    if (!isDetail(field)) return rows.map((row) => row[columns[field]])
    const key = keyOf(field)
    return details.map((values) => (Object.hasOwn(values, key) ? (values[key] ?? null) : null))
  }

  return { numbers: rows.map(([n]) => n), times: rows.map(([, time]) => time), valuesOf }
}
