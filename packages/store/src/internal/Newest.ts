/**
 * The newest deliveries of all accounts, and counts of deliveries: queries of operators, and their answers.
 */
import type { Condition } from "@watchword/pagination/internal/Query"
import type { Mode, Product } from "@watchword/schemas/Channel"
import { type AccountId, type DeliveryId, firstUlid } from "@watchword/schemas/Ids"
import type { ProductEntry } from "@watchword/schemas/ChannelRegistry"
import type { Delivery, Field } from "../Delivery.ts"

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
}

export interface Found {
  readonly rows: ReadonlyArray<Delivery>
  /** The `before` of the rest; null where all records of these times were looked at. */
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

/** Whether a look has found so few that the rest may lie far apart. */
export const isSparse = ({ limit, reach }: Newest, found: number): boolean => found < limit && found < reach / DENSE
