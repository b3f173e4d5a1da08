/**
 * Lists of records: the requests of customers and of operators, the answers, and their meaning as conditions, order and
 * pages over deliveries in memory.
 */
import type { Condition, Query, Scalar } from "@watchword/pagination/Fields"
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { ProductEntry } from "@watchword/schemas/ChannelRegistry"
import { type AccountId, type DeliveryId, firstUlid } from "@watchword/schemas/Ids"
import { type Delivery, type Field, isDetail, keyOf } from "./Delivery.ts"

export interface Listing {
  readonly account: AccountId
  readonly mode: Mode
  readonly channel: Product
  /** Values of different types are never equal, and never within each other's bounds. */
  readonly where: ReadonlyArray<Condition<Field>>
  /**
   * Ties are ordered by id, in the same direction. Null is less than every value, false and true count as
   * 0 and 1, numbers are less than texts, and texts compare by code points, whatever the language.
   */
  readonly sort: { readonly field: Field; readonly direction: "ASC" | "DESC" }
  readonly offset: number
  readonly limit: number
}

export interface Page<Row = Delivery> {
  /** How many records meet the conditions, exactly. */
  readonly total: number
  readonly rows: ReadonlyArray<Row>
}

/** The value of a field; null if the delivery lacks it. */
export const valueOf = (delivery: Delivery, field: Field): Scalar => {
  if (isDetail(field)) return own(delivery.details, keyOf(field))
  return field === "status" ? delivery.status.name : delivery[field]
}

const own = (details: Delivery["details"], key: string): Scalar =>
  Object.hasOwn(details, key) ? (details[key] ?? null) : null

/** Whether a delivery meets a condition. */
export const meets = (delivery: Delivery, condition: Condition<Field>): boolean =>
  admits(condition, valueOf(delivery, condition.field))

/** Whether a condition is met by a value of its field. */
const admits = (condition: Condition<string>, value: Scalar): boolean => {
  if (condition._tag === "In") return condition.values.includes(value)
  const { gt, gte, lt, lte } = condition
  const measured = (bound: string | number): number => (typeof bound === typeof value ? compare(value, bound) : NaN)
  return (
    value !== null &&
    (gte === undefined || measured(gte) >= 0) &&
    (gt === undefined || measured(gt) > 0) &&
    (lte === undefined || measured(lte) <= 0) &&
    (lt === undefined || measured(lt) < 0)
  )
}

/** Negative when `a` comes before `b` in the order of {@link Listing.sort}, positive when behind. */
export const compare = (a: Scalar, b: Scalar): number => {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b)
  if (a === null || b === null || typeof a === "string" || typeof b === "string") return kind(a) - kind(b)
  return Number(a) - Number(b)
}

const kind = (value: Scalar): number => (value === null ? 0 : typeof value === "string" ? 2 : 1)

const compareTexts = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = weight(a.charCodeAt(index)) - weight(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

// Code units order texts as code points do, but for surrogates: they encode characters above U+FFFF.
const weight = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

/** One page of the deliveries that meet the conditions. */
export const pageOf = (
  deliveries: ReadonlyArray<Delivery>,
  query: Pick<Listing, "where" | "sort" | "offset" | "limit">
): Page => pageBy(deliveries, query, valueOf)

/** The same of rows of any kind. @param valueOf the value of a field; null if the row lacks it */
export const pageBy = <Row extends { readonly id: string }, Name extends string>(
  all: ReadonlyArray<Row>,
  { limit, offset, sort, where }: Query<Name>,
  valueOf: (row: Row, field: Name) => Scalar
): Page<Row> => {
  const sign = sort.direction === "ASC" ? 1 : -1
  const rows = all
    .filter((row) => where.every((condition) => admits(condition, valueOf(row, condition.field))))
    .sort((a, b) => sign * (compare(valueOf(a, sort.field), valueOf(b, sort.field)) || compare(a.id, b.id)))
  return { total: rows.length, rows: rows.slice(offset, offset + limit) }
}

/** Deliveries of all accounts, by their ids. */
export interface Newest {
  /** The times that the ids are of: from the first on, and before the second. */
  readonly since: number
  readonly until: number
  /** The ids are less than this one; null for any. */
  readonly before: DeliveryId | null
  /** Null for any. */
  readonly account: AccountId | null
  readonly mode: Mode | null
  readonly channels: ReadonlyArray<Product>
  readonly where: ReadonlyArray<Condition<Field>>
  readonly limit: number
  /** The most records that are looked at. */
  readonly reach: number
  /** Whether counts have already shown that many records may meet the conditions; they need not be asked again. */
  readonly many: boolean
}

export interface Found {
  readonly rows: ReadonlyArray<Delivery>
  /** The `before` of the rest; null if all records of these times were looked at. */
  readonly next: DeliveryId | null
}

/** Which deliveries are counted, from one time on and before another. */
export interface Counting {
  readonly products: ReadonlyArray<Pick<ProductEntry, "name" | "listedBy">>
  readonly since: number
  readonly until: number
}

/** How many deliveries have a status. */
export interface StatusCount {
  readonly mode: Mode
  readonly channel: Product
  readonly status: string
  readonly count: number
}

/** The ids of a query: from the first on, and less than the second. */
export const idsOf = ({ before, since, until }: Pick<Newest, "before" | "since" | "until">) => {
  const end = firstUlid(until)
  return { first: firstUlid(since), end: before !== null && before < end ? before : end }
}

/** The statuses that the records of a query may have; null for all. */
export const statusesOf = ({ where }: Pick<Newest, "where">): ReadonlyArray<string> | null =>
  where.reduce<ReadonlyArray<string> | null>((found, condition) => {
    if (condition._tag !== "In" || condition.field !== "status") return found
    const wanted = condition.values.filter((value) => typeof value === "string")
    return found === null ? wanted : found.filter((status) => wanted.includes(status))
  }, null)

/** Where one record of so many meets the conditions, a few looks make a page. */
const DENSE = 200

/** Whether a look has found so few that the rest may lie far apart, and counts are to be asked for them. */
export const isSparse = ({ limit, many, reach }: Newest, found: number): boolean =>
  !many && found < limit && found < reach / DENSE
