/**
 * The plan of a list, the same in every SQL store: which index leads to its records.
 *
 * | plan | asked for | way to the records | work |
 * |---|---|---|---|
 * | `Nothing` | a condition that no record can meet | none | none |
 * | `Ids` | `id` is one of some | the key | the ids |
 * | `Recipients` | `to` is one of some numbers | index `(partition, week, recipient)`, one seek for each week that `counts` has records in | weeks of the window, and the numbers' records in it |
 * | `Counted` | at most a window, in order of time | `counts` and `fine_counts` (see Buckets.ts) up to the page, then index `(partition, listed_at, id, status)` | counts of the window, and the page |
 * | `Search` | anything else | the same index, within the window | every record of the window |
 *
 * Conditions on the time of the list and on the status are in the window of every plan, so that they bound the work
 * whatever else is asked. `rest` has the conditions that are asked of each record that the index leads to.
 *
 * New records are of this week, so that inserts stay in the end of the index of `Recipients`; in an index by recipient
 * only, they would go to any page of it. `Search` belongs off the event loop, under a time limit; past it a store fails
 * with a `StoreError` of the reason `TimeLimit`.
 */
import type { Condition } from "@watchword/pagination/Fields"
import type { Field } from "../Delivery.ts"
import type { Listing } from "../Store.ts"
import { type Time, UNBOUNDED, type Window, isEmpty, narrowed } from "./Window.ts"

export type Plan =
  | { readonly _tag: "Nothing" }
  | (Filtered & { readonly _tag: "Ids"; readonly ids: ReadonlyArray<string> })
  | (Filtered & { readonly _tag: "Recipients"; readonly recipients: ReadonlyArray<string> })
  | { readonly _tag: "Counted"; readonly window: Window }
  | (Filtered & { readonly _tag: "Search" })

interface Filtered {
  readonly window: Window
  readonly rest: ReadonlyArray<Condition<Field>>
}

/** @param time the field by which the channel's records are listed, see `ChannelRegistry.listedBy` */
export const planOf = ({ sort, where }: Pick<Listing, "where" | "sort">, time: Time): Plan => {
  let window = UNBOUNDED
  let ids: ReadonlyArray<string> | null = null
  let recipients: ReadonlyArray<string> | null = null
  const rest: Array<Condition<Field>> = []
  for (const condition of where) {
    const narrower = narrowed(window, condition, time)
    if (narrower !== null) window = narrower
    else if (ids === null && isAmong("id", condition)) ids = textsOf(condition)
    else if (recipients === null && isAmong("to", condition)) recipients = textsOf(condition)
    else rest.push(condition)
  }
  if (isEmpty(window) || ids?.length === 0 || recipients?.length === 0) return { _tag: "Nothing" }
  if (ids !== null) {
    const named: ReadonlyArray<Condition<Field>> =
      recipients === null ? [] : [{ _tag: "In", field: "to", values: recipients }]
    return { _tag: "Ids", ids, window, rest: [...named, ...rest] }
  }
  if (recipients !== null) return { _tag: "Recipients", recipients, window, rest }
  return rest.length === 0 && sort.field === time ? { _tag: "Counted", window } : { _tag: "Search", window, rest }
}

type Among = Extract<Condition<Field>, { readonly _tag: "In" }>

const isAmong = (field: Field, condition: Condition<Field>): condition is Among =>
  condition._tag === "In" && condition.field === field

// Ids and numbers are texts: no record has another value there.
const textsOf = ({ values }: Among): ReadonlyArray<string> => values.filter((value) => typeof value === "string")
