/**
 * The queries of lists: a page of records with its total, and how many records a list looks at.
 */
import type { Listing } from "@watchword/store/Listing"
import { FINE_WIDTH, type Plan as AnyPlan, WEEK, WIDTH, type Window, bucketOf, segments } from "@watchword/store/sql"
import { type Bind, all, binding, predicate, sortKeys } from "./Conditions.ts"
import type { Values } from "./Pools.ts"
import { record } from "./sql/shape.ts"
import { bucket } from "./sql/tables.ts"

/** A plan that leads to records. */
export type Plan = Exclude<AnyPlan, { readonly _tag: "Nothing" }>

type Recipients = Extract<Plan, { readonly _tag: "Recipients" }>
type Search = Extract<Plan, { readonly _tag: "Search" }>
type Filtered = Exclude<Plan, { readonly _tag: "Counted" }>

/** A partition, by its numbers. */
export interface Place {
  readonly schema: string
  readonly account: number
  readonly mode: number
  readonly channel: number
}

export interface Query {
  readonly text: string
  readonly values: Values
}

/** One page: its total, and its records as JSON. */
export const page = (place: Place, plan: Plan, listing: Listing): Query =>
  written(place, (context) =>
    plan._tag === "Counted" ? counted(context, plan.window, listing) : filtered(context, plan, listing)
  )

/** How many records the index leads to; for numbers at most so many. */
export const size = (place: Place, plan: Recipients | Search, most: number): Query =>
  written(place, (context) =>
    plan._tag === "Search"
      ? `SELECT coalesce(sum(n), 0)::bigint FROM (${cellsOf(context, plan.window)}) c`
      : `SELECT count(*) FROM (SELECT FROM ${recordsOf(context, plan)} LIMIT ${most}) d`
  )

interface Context {
  readonly schema: string
  readonly bind: Bind
  /** The condition of the partition. */
  readonly partition: string
}

const written = ({ account, channel, mode, schema }: Place, write: (context: Context) => string): Query => {
  const { bind, values } = binding()
  const partition = `account = ${account} AND mode = ${mode} AND channel = ${channel}`
  return { text: write({ schema, bind, partition }), values }
}

/** All records that meet the conditions, of which a page is sorted. */
const filtered = (context: Context, plan: Filtered, listing: Listing): string => {
  const { bind, partition, schema } = context
  const { rest, window } = plan
  const met = all([
    partition,
    `d.listed_at BETWEEN ${bind(window.first)}::bigint AND ${bind(window.last)}::bigint`,
    ...inStatus(context, window, "d"),
    ...rest.map((condition) => predicate(bind, condition))
  ])
  const keys = sortKeys(bind, listing.sort.field, wayOf(listing))
  const order = keys.map(({ way }, index) => `k${index} ${way}`).join(", ")
  return `WITH met AS MATERIALIZED (
    SELECT d.id, ${keys.map(({ expression }, index) => `${expression} AS k${index}`).join(", ")}
    FROM ${recordsOf(context, plan)} WHERE ${met}
  )
  SELECT (SELECT count(*) FROM met), (
    SELECT json_agg(${record("d", accountOf(context, listing))} ORDER BY ${order})
    FROM (SELECT * FROM met ORDER BY ${order} LIMIT ${bind(listing.limit)}::bigint OFFSET ${bind(listing.offset)}::bigint) p
    JOIN ${schema}.deliveries d ON d.id = p.id
  )`
}

/** The records that an index leads to. */
const recordsOf = (context: Context, plan: Filtered): string => {
  const { bind, partition, schema } = context
  switch (plan._tag) {
    case "Ids":
      return `unnest(${bind(plan.ids)}::text[]) i(id) CROSS JOIN LATERAL (
        SELECT * FROM ${schema}.deliveries t WHERE t.id = i.id OFFSET 0
      ) d`
    case "Recipients": {
      const { first, last } = plan.window
      const counted = all([
        partition,
        `width = ${WIDTH}`,
        `bucket BETWEEN ${bind(bucketOf(first))}::bigint AND ${bind(bucketOf(last))}::bigint`,
        ...inStatus(context, plan.window, "c")
      ])
      return `(
        SELECT DISTINCT bucket / ${WEEK / WIDTH} AS week FROM ${schema}.counts c WHERE ${counted}
      ) w CROSS JOIN (SELECT DISTINCT unnest(${bind(plan.recipients)}::text[])) r(recipient) CROSS JOIN LATERAL (
        SELECT * FROM ${schema}.deliveries t
        WHERE ${partition} AND ${bucket("t.listed_at", WEEK)} = w.week AND t.recipient = r.recipient OFFSET 0
      ) d`
    }
    case "Search":
      return `${schema}.deliveries d`
  }
}

/**
 * The whole buckets of a window, as wide as possible, and the times at its ends that are no whole bucket, each with how
 * many records lie in it.
 */
const cellsOf = (context: Context, window: Window): string => {
  const { bind, partition, schema } = context
  const parts = segments(window.first, window.last)
  const rows = (list: typeof parts) =>
    [list.map(({ width }) => width), list.map(({ first }) => first), list.map(({ last }) => last)]
      .map((column) => `${bind(column)}::bigint[]`)
      .join(", ")
  const buckets = `SELECT s.width, c.bucket * s.width AS low, (c.bucket + 1) * s.width - 1 AS high, sum(c.n)::bigint AS n
    FROM unnest(${rows(parts.filter(({ width }) => width > 1))}) s(width, first, last)
    CROSS JOIN LATERAL (
      SELECT * FROM ${schema}.counts c
      WHERE ${partition} AND c.width = s.width AND c.bucket BETWEEN s.first AND s.last ${andStatus(context, window, "c")}
    ) c GROUP BY s.width, c.bucket`
  const ends = parts.filter(({ width }) => width === 1)
  if (ends.length === 0) return buckets
  return `${buckets}
    UNION ALL
    SELECT s.width, s.first, s.last, (
      SELECT count(*) FROM ${schema}.deliveries d
      WHERE ${partition} AND d.listed_at BETWEEN s.first AND s.last ${andStatus(context, window, "d")}
    )
    FROM unnest(${rows(ends)}) s(width, first, last)`
}

/**
 * A page in the order of time, by counts: wide buckets lead to narrow ones, and those to the records.
 *
 * `near` are the cells of the window that the page lies in, with `before` records before them, and `nearest` the same
 * with wide buckets divided.
 */
const counted = (context: Context, window: Window, listing: Listing): string => {
  const { bind, partition, schema } = context
  const way = wayOf(listing)
  const from = `${bind(listing.offset)}::bigint`
  const to = `${bind(listing.offset + listing.limit)}::bigint`
  const inPage = `before < ${to} AND before + n > ${from}`
  return `WITH cells AS MATERIALIZED (
    ${cellsOf(context, window)}
  ), placed AS (
    SELECT *, sum(n) OVER (ORDER BY low ${way}) - n AS before FROM cells
  ), near AS MATERIALIZED (
    SELECT * FROM placed WHERE ${inPage}
  ), nearest AS (
    SELECT low, high, n, before FROM near WHERE width < ${WIDTH}
    UNION ALL
    SELECT f.bucket * ${FINE_WIDTH}, (f.bucket + 1) * ${FINE_WIDTH} - 1, f.n,
      near.before + sum(f.n) OVER (PARTITION BY near.low ORDER BY f.bucket ${way}) - f.n
    FROM near CROSS JOIN LATERAL (
      SELECT c.bucket::bigint AS bucket, sum(c.n)::bigint AS n FROM ${schema}.counts c
      WHERE ${partition} AND c.width = ${FINE_WIDTH}
        AND c.bucket BETWEEN near.low / ${FINE_WIDTH} AND near.high / ${FINE_WIDTH} ${andStatus(context, window, "c")}
      GROUP BY c.bucket
    ) f WHERE near.width = ${WIDTH}
  )
  SELECT (SELECT coalesce(sum(n), 0) FROM cells)::bigint, (
    SELECT json_agg(${record("r", accountOf(context, listing))} ORDER BY r.listed_at ${way}, r.id ${way})
    FROM (SELECT * FROM nearest WHERE ${inPage}) c CROSS JOIN LATERAL (
      SELECT d.id FROM ${schema}.deliveries d
      WHERE ${partition} AND d.listed_at BETWEEN c.low AND c.high ${andStatus(context, window, "d")}
      ORDER BY d.listed_at ${way}, d.id ${way}
      LIMIT least(c.before + c.n, ${to}) - greatest(c.before, ${from}) OFFSET greatest(0, ${from} - c.before)
    ) k JOIN ${schema}.deliveries r ON r.id = k.id
  )`
}

const accountOf = ({ bind }: Context, { account }: Listing): string => `${bind(account)}::text`

const inStatus = ({ bind }: Context, { statuses }: Window, table: string): ReadonlyArray<string> =>
  statuses === null ? [] : [`${table}.status = ANY (${bind(statuses)}::text[])`]

const andStatus = (context: Context, window: Window, table: string): string =>
  inStatus(context, window, table)
    .map((term) => `AND ${term}`)
    .join("")

// The type says that it is one of the two; SQL must not depend on that.
const wayOf = ({ sort }: Listing): Listing["sort"]["direction"] => (sort.direction === "ASC" ? "ASC" : "DESC")
