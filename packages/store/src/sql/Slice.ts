import type { Condition } from "@watchword/pagination/Query"
import type { Product } from "@watchword/schemas/Channel"
import type { Field } from "../Delivery.ts"
import type { Listing } from "../Store.ts"

/** The records of a drawer that are listed within a time and have one of some statuses. */
export interface Slice {
  readonly first: number
  readonly last: number
  /** Null for all. */
  readonly statuses: ReadonlyArray<string> | null
  /** Whether they are wanted in the order of `listed_at`. */
  readonly inOrder: boolean
}

const EVERYTHING: Slice = {
  first: Number.MIN_SAFE_INTEGER,
  last: Number.MAX_SAFE_INTEGER,
  statuses: null,
  inOrder: false
}

/** What a listing asks for as a slice, or null when it has other conditions too. */
export const sliceOf = ({ channel, sort, where }: Listing): Slice | null => {
  const time = timeOf(channel)
  const slice = where.reduce<Slice | null>((rest, condition) => rest && narrowed(rest, condition, time), EVERYTHING)
  return slice && { ...slice, inOrder: sort.field === time }
}

/** The field that `listed_at` repeats. */
export const timeOf = (channel: Product): Field => (channel === "sms" ? "statusAt" : "createdAt")

const narrowed = (slice: Slice, condition: Condition<Field>, time: Field): Slice | null => {
  if (condition._tag === "In") {
    if (condition.field !== "status") return null
    const wanted = condition.values.filter((value) => typeof value === "string")
    const { statuses } = slice
    return { ...slice, statuses: statuses === null ? wanted : statuses.filter((status) => wanted.includes(status)) }
  }
  const { gt, gte, lt, lte } = condition
  if (condition.field !== time || [gt, gte, lt, lte].some((bound) => typeof bound === "string")) return null
  // Times are whole milliseconds.
  return {
    ...slice,
    first: Math.max(slice.first, Math.ceil(Number(gte ?? slice.first)), Math.floor(Number(gt ?? slice.first - 1)) + 1),
    last: Math.min(slice.last, Math.floor(Number(lte ?? slice.last)), Math.ceil(Number(lt ?? slice.last + 1)) - 1)
  }
}
