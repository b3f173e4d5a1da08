/**
 * The window of a list: bounds on the time by which records are listed, and on their status.
 *
 * Both are in the index that keeps a partition's records in order of time, so that a window bounds the work of any
 * list, whatever else the list asks for.
 */
import type { Condition } from "@watchword/pagination/Fields"
import type { Field } from "../Delivery.ts"
import { WIDTH, firstOf, lastOf } from "./Buckets.ts"

export interface Window {
  /** The first and the last millisecond of `listed_at`. */
  readonly first: number
  readonly last: number
  /** The statuses that records may have; null for all. */
  readonly statuses: ReadonlyArray<string> | null
}

/** Where times end that a number can hold exactly. Whole buckets, so that no records are counted one by one there. */
const BUCKETS = Math.floor(Number.MAX_SAFE_INTEGER / WIDTH) - 1

/** The window of a list without conditions. */
export const UNBOUNDED: Window = { first: firstOf(-BUCKETS), last: lastOf(BUCKETS), statuses: null }

/** The field that the column `listed_at` repeats. */
export type Time = "createdAt" | "statusAt"

/**
 * The part of a window that meets a condition, or null if the condition is about something else, so that each record
 * must be checked. No time meets a bound that is not a number, which is left to that check.
 */
export const narrowed = (window: Window, condition: Condition<Field>, time: Time): Window | null => {
  if (condition._tag === "In") return condition.field === "status" ? among(window, condition.values) : null
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

const among = (window: Window, values: ReadonlyArray<unknown>): Window => {
  const wanted = values.filter((value) => typeof value === "string")
  const { statuses } = window
  return { ...window, statuses: statuses === null ? wanted : statuses.filter((status) => wanted.includes(status)) }
}

/** Whether no record can lie in a window. */
export const isEmpty = ({ first, last, statuses }: Window): boolean => first > last || statuses?.length === 0
