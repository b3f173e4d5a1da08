import type { Condition } from "@watchword/pagination/Query"
import type { Product } from "@watchword/schemas/Channel"
import type { Field } from "@watchword/store/Delivery"
import type { Listing } from "@watchword/store/Store"

/** The records of a partition that are listed within a time and have one of some statuses. */
export interface Window {
  readonly first: number
  readonly last: number
  /** Null for all. */
  readonly statuses: ReadonlyArray<string> | null
  /** Whether they are wanted in the order of `listed_at`. */
  readonly inOrder: boolean
}

const EVERYTHING: Window = {
  first: Number.MIN_SAFE_INTEGER,
  last: Number.MAX_SAFE_INTEGER,
  statuses: null,
  inOrder: false
}

/** The window of a listing, or null when it has other conditions too. */
export const windowOf = ({ channel, sort, where }: Listing): Window | null => {
  const time = timeOf(channel)
  const window = where.reduce<Window | null>((rest, condition) => rest && narrowed(rest, condition, time), EVERYTHING)
  return window && { ...window, inOrder: sort.field === time }
}

/** The field that `listed_at` repeats. */
export const timeOf = (channel: Product): Field => (channel === "sms" ? "statusAt" : "createdAt")

const narrowed = (window: Window, condition: Condition<Field>, time: Field): Window | null => {
  if (condition._tag === "In") {
    if (condition.field !== "status") return null
    const wanted = condition.values.filter((value) => typeof value === "string")
    const { statuses } = window
    return { ...window, statuses: statuses === null ? wanted : statuses.filter((status) => wanted.includes(status)) }
  }
  const { gt, gte, lt, lte } = condition
  if (condition.field !== time || [gt, gte, lt, lte].some((bound) => typeof bound === "string")) return null
  // Times are whole milliseconds.
  return {
    ...window,
    first: Math.max(
      window.first,
      Math.ceil(Number(gte ?? window.first)),
      Math.floor(Number(gt ?? window.first - 1)) + 1
    ),
    last: Math.min(window.last, Math.floor(Number(lte ?? window.last)), Math.ceil(Number(lt ?? window.last + 1)) - 1)
  }
}
