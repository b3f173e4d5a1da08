/**
 * Conditions, order and pages over deliveries that are at hand as values.
 */
import type { Condition, Scalar } from "@watchword/pagination/Query"
import { type Delivery, fields } from "./Delivery.ts"
import type { Listing, Page } from "./Store.ts"

/** The value of a field, named as conditions and orders name it; null where there is none. */
export const valueOf = (delivery: Delivery, field: string): Scalar => {
  if (field.startsWith("details.")) return own(delivery.details, field.slice("details.".length)) ?? null
  if (field === "status") return delivery.status.name
  const known = fields.find((name) => name === field)
  return known === undefined || known === "status" ? null : delivery[known]
}

const own = (details: Delivery["details"], key: string): Scalar | undefined =>
  Object.hasOwn(details, key) ? details[key] : undefined

/** Whether a delivery meets a condition. Values of different types are never equal, and have no order. */
export const meets = (delivery: Delivery, condition: Condition): boolean => {
  const value = valueOf(delivery, condition.field)
  if (condition._tag === "In") return condition.values.includes(value)
  const { gt, gte, lt, lte } = condition
  return (
    value !== null &&
    (gte === undefined || (typeof gte === typeof value && value >= gte)) &&
    (gt === undefined || (typeof gt === typeof value && value > gt)) &&
    (lte === undefined || (typeof lte === typeof value && value <= lte)) &&
    (lt === undefined || (typeof lt === typeof value && value < lt))
  )
}

/** One page of the deliveries that meet the conditions. */
export const pageOf = (deliveries: ReadonlyArray<Delivery>, listing: Listing): Page => {
  const { direction, field } = listing.sort
  const sign = direction === "ASC" ? 1 : -1
  const rows = deliveries
    .filter((delivery) => listing.where.every((condition) => meets(delivery, condition)))
    .sort((a, b) => sign * (compared(valueOf(a, field), valueOf(b, field)) || compared(a.id, b.id)))
  return { total: rows.length, rows: rows.slice(listing.offset, listing.offset + listing.limit) }
}

// Null comes first, then false and true as 0 and 1 among the numbers, then texts by their code units.
const compared = (a: Scalar, b: Scalar): number => {
  const byKind = kind(a) - kind(b)
  if (byKind !== 0 || a === null || b === null) return byKind
  return a < b ? -1 : a > b ? 1 : 0
}

const kind = (value: Scalar): number => (value === null ? 0 : typeof value === "string" ? 2 : 1)
