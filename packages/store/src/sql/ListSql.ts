/**
 * The records of a list's plan in SQLite's dialect, for the stores on SQLite and on D1.
 *
 * Values that bound an index are written `+?`, not `?`: SQLite looks at a bare parameter to make its plan, and makes it
 * again for each value that is bound, which takes longer than to find a page.
 */
import type { Listing } from "../Store.ts"
import { WEEK, WIDTH, bucketOf } from "./Buckets.ts"
import { type Sql, joined, predicate } from "./Conditions.ts"
import type { Plan } from "./ListPlan.ts"
import type { Window } from "./Window.ts"

/** A plan whose records are looked at one by one. */
export type Filtered = Exclude<Plan, { readonly _tag: "Nothing" | "Counted" }>

/**
 * The records of a plan: what follows FROM, with `d` for the table.
 *
 * @param partition the partition's number
 */
export const recordsOf = (plan: Filtered, partition: Sql): Sql => {
  const { rest, window } = plan
  const { text, values } = joined("AND", [...wayTo(plan, partition), inStatus(window), ...rest.map(predicate)])
  return { text: `deliveries d ${indexOf(plan)} WHERE ${text}`, values }
}

/** The records of a partition in a window, in an index that has their order. */
export const recordsIn = (window: Window, partition: Sql): Sql =>
  recordsOf({ _tag: "Search", window, rest: [] }, partition)

const indexOf = ({ _tag }: Filtered): string => {
  switch (_tag) {
    case "Ids":
      return ""
    case "Recipients":
      return "INDEXED BY deliveries_by_recipient"
    case "Search":
      return "INDEXED BY deliveries_listed"
  }
}

const wayTo = (plan: Filtered, partition: Sql): ReadonlyArray<Sql> => {
  const { window } = plan
  switch (plan._tag) {
    case "Ids":
      return [equal("+d.partition", partition), isOneOf("d.id", plan.ids), listedIn("+d.listed_at", window)]
    case "Recipients":
      return [
        equal("d.partition", partition),
        weeksOf(window, partition),
        isOneOf("d.recipient", plan.recipients),
        listedIn("+d.listed_at", window)
      ]
    case "Search":
      return [equal("d.partition", partition), listedIn("d.listed_at", window)]
  }
}

/** The weeks of a window that have records. */
const weeksOf = (window: Window, partition: Sql): Sql => {
  const status = inStatus(window)
  return {
    text: `d.week IN (SELECT DISTINCT bucket / ${WEEK / WIDTH} FROM counts
      WHERE partition = ${partition.text} AND bucket BETWEEN +? AND +? AND ${status.text})`,
    values: [...partition.values, bucketOf(window.first), bucketOf(window.last), ...status.values]
  }
}

/** Whether a record, or a row of counts, has one of a window's statuses. */
export const inStatus = ({ statuses }: Window): Sql =>
  joined("AND", statuses === null ? [] : [isOneOf("status", statuses)])

const listedIn = (column: string, { first, last }: Window): Sql => ({
  text: `${column} BETWEEN +? AND +?`,
  values: [first, last]
})

const equal = (column: string, { text, values }: Sql): Sql => ({ text: `${column} = ${text}`, values })

const isOneOf = (column: string, values: ReadonlyArray<string>): Sql => {
  const [only, ...others] = values
  return only !== undefined && others.length === 0
    ? { text: `${column} = +?`, values: [only] }
    : { text: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] }
}

type Direction = Listing["sort"]["direction"]

/** A direction as SQL. The type says that it is one of the two; SQL must not depend on that. */
export const written = (direction: Direction): Direction => (direction === "ASC" ? "ASC" : "DESC")

/**
 * Every partition that has records, as `counted (place)`. `counts` also knows the partitions of channels that this
 * program lacks.
 */
export const partitions = `counted (place) AS (
    SELECT min(partition) FROM counts
    UNION ALL SELECT (SELECT min(partition) FROM counts WHERE partition > place) FROM counted WHERE place IS NOT NULL
  )`

/** The same in each week of some, as `places`: an index look-up each for the records of a number. */
export const partitionsAndWeeks = (first: string, last: string): string => `WITH RECURSIVE
  weeks (place_week) AS (SELECT +${first} UNION ALL SELECT place_week + 1 FROM weeks WHERE place_week < +${last}),
  ${partitions},
  places (place, place_week) AS (
    SELECT place, place_week FROM counted CROSS JOIN weeks WHERE place IS NOT NULL
  )`
