/**
 * Pages of records, each with its total in one query, by the plans of `@watchword/store-sql/ListPlan`.
 */
import type { Service as Registry } from "@watchword/schemas/ChannelRegistry"
import type { AccountId } from "@watchword/schemas/Ids"
import type { Listing, Page } from "@watchword/store/Listing"
import type { StoreError } from "@watchword/store/StoreError"
import { FINE_WIDTH, WEEK, WIDTH, bucketOf, segments } from "@watchword/store-sql/Buckets"
import { type Plan, planOf } from "@watchword/store-sql/ListPlan"
import { type Partitions, modeCode } from "@watchword/store-sql/Partitions"
import type { Window } from "@watchword/store-sql/Window"
import * as Effect from "effect/Effect"
import { type Bind, all, binding, predicate, sortKeys } from "./Conditions.ts"
import type { Connections, Values } from "./Connections.ts"
import { type Row, decoder } from "./Rows.ts"
import { record } from "./sql/shape.ts"
import { bucket } from "./sql/tables.ts"

/** The answer of a query: one row. */
type PageRow = [total: number, records: ReadonlyArray<Row> | null]

export const make = (
  { ask, read }: Connections,
  schema: string,
  registry: Registry,
  partitions: Partitions
): ((listing: Listing) => Effect.Effect<Page, StoreError>) => {
  const decode = decoder(partitions)
  const pageOf = ([row]: ReadonlyArray<PageRow>): Page => {
    const [total, records] = row ?? [0, null]
    return { total, rows: (records ?? []).map(decode) }
  }

  // Asked for beforehand, so that the planner knows how many records the account has.
  const numberOf = (account: AccountId) =>
    Effect.map(ask<[n: number]>(`SELECT n FROM ${schema}.accounts WHERE id = $1`, [account]), ([row]) => row?.[0])

  return (listing) => {
    const plan = planOf(listing, registry.listedBy(listing.channel))
    if (plan._tag === "Nothing") return Effect.succeed(EMPTY)
    const isBounded = plan._tag === "Counted" || plan._tag === "Ids"
    return Effect.flatMap(numberOf(listing.account), (account) => {
      if (account === undefined) return Effect.succeed(EMPTY)
      const partition = { account, mode: modeCode(listing.mode), channel: partitions.codeOf(listing.channel) }
      const { text, values } = queryOf(schema, partition, listing, plan)
      return Effect.map(isBounded ? ask<PageRow>(text, values) : read<PageRow>(text, values), pageOf)
    })
  }
}

const EMPTY: Page = { total: 0, rows: [] }

interface Partition {
  readonly account: number
  readonly mode: number
  readonly channel: number
}

const queryOf = (
  schema: string,
  { account, channel, mode }: Partition,
  listing: Listing,
  plan: Exclude<Plan, { readonly _tag: "Nothing" }>
): { readonly text: string; readonly values: Values } => {
  const { bind, values } = binding()
  const partition = `account = ${account} AND mode = ${mode} AND channel = ${channel}`
  const context: Context = { schema, bind, partition, listing, account: `${bind(listing.account)}::text` }
  return { text: plan._tag === "Counted" ? counted(context, plan.window) : searched(context, plan), values }
}

interface Context {
  readonly schema: string
  readonly bind: Bind
  /** The condition of the partition. */
  readonly partition: string
  readonly listing: Listing
  /** The id of the account. */
  readonly account: string
}

type Searched = Extract<Plan, { readonly _tag: "Ids" | "Recipients" | "Search" }>

/** All records that meet the conditions, of which a page is sorted. */
const searched = (context: Context, plan: Searched): string => {
  const { account, bind, listing, partition, schema } = context
  const { rest, window } = plan
  const met = all([
    partition,
    `d.listed_at BETWEEN ${bind(window.first)}::bigint AND ${bind(window.last)}::bigint`,
    ...inStatus(context, window),
    ...rest.map((condition) => predicate(bind, condition))
  ])
  const keys = sortKeys(bind, listing.sort.field, written(listing.sort.direction))
  const order = keys.map(({ way }, index) => `k${index} ${way}`).join(", ")
  return `WITH met AS MATERIALIZED (
    SELECT d.id, ${keys.map(({ expression }, index) => `${expression} AS k${index}`).join(", ")}
    FROM ${recordsOf(context, plan)} WHERE ${met}
  )
  SELECT (SELECT count(*) FROM met), (
    SELECT json_agg(${record("d", account)} ORDER BY ${order})
    FROM (SELECT * FROM met ORDER BY ${order} LIMIT ${bind(listing.limit)}::bigint OFFSET ${bind(listing.offset)}::bigint) p
    JOIN ${schema}.deliveries d ON d.id = p.id
  )`
}

/** The records that an index leads to. */
const recordsOf = (context: Context, plan: Searched): string => {
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
 * A page in the order of time, by counts: wide buckets lead to narrow ones, and those to the records.
 *
 * `cells` are all buckets of the window, and the times at its ends that are no whole bucket, each with how many records
 * lie in it. `near` are those that the page lies in, with `before` records before them, and `nearest` the same with wide
 * buckets divided.
 */
const counted = (context: Context, window: Window): string => {
  const { account, bind, listing, partition, schema } = context
  const way = written(listing.sort.direction)
  const from = `${bind(listing.offset)}::bigint`
  const to = `${bind(listing.offset + listing.limit)}::bigint`
  const inPage = `before < ${to} AND before + n > ${from}`
  const parts = segments(window.first, window.last)
  const whole = parts.filter(({ width }) => width > 1)
  const ends = parts.filter(({ width }) => width === 1)
  const times = (list: ReadonlyArray<number>) => `${bind(list)}::bigint[]`
  const status = (table: string) => inStatus(context, window, table).map((term) => `AND ${term}`)
  const records = `${schema}.deliveries d WHERE ${partition} ${status("d")}`
  return `WITH cells AS MATERIALIZED (
    SELECT s.width, c.bucket * s.width AS low, (c.bucket + 1) * s.width - 1 AS high, sum(c.n)::bigint AS n
    FROM unnest(${times(whole.map(({ width }) => width))}, ${times(whole.map(({ first }) => first))},
      ${times(whole.map(({ last }) => last))}) s(width, first, last)
    CROSS JOIN LATERAL (
      SELECT * FROM ${schema}.counts c
      WHERE ${partition} AND c.width = s.width AND c.bucket BETWEEN s.first AND s.last ${status("c")}
    ) c GROUP BY s.width, c.bucket
    UNION ALL
    SELECT 1, s.first, s.last, (SELECT count(*) FROM ${records} AND d.listed_at BETWEEN s.first AND s.last)
    FROM unnest(${times(ends.map(({ first }) => first))}, ${times(ends.map(({ last }) => last))}) s(first, last)
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
        AND c.bucket BETWEEN near.low / ${FINE_WIDTH} AND near.high / ${FINE_WIDTH} ${status("c")}
      GROUP BY c.bucket
    ) f WHERE near.width = ${WIDTH}
  )
  SELECT (SELECT coalesce(sum(n), 0) FROM cells)::bigint, (
    SELECT json_agg(${record("r", account)} ORDER BY r.listed_at ${way}, r.id ${way})
    FROM (SELECT * FROM nearest WHERE ${inPage}) c CROSS JOIN LATERAL (
      SELECT d.id FROM ${records} AND d.listed_at BETWEEN c.low AND c.high ORDER BY d.listed_at ${way}, d.id ${way}
      LIMIT least(c.before + c.n, ${to}) - greatest(c.before, ${from}) OFFSET greatest(0, ${from} - c.before)
    ) k JOIN ${schema}.deliveries r ON r.id = k.id
  )`
}

const inStatus = ({ bind }: Context, { statuses }: Window, table = "d"): ReadonlyArray<string> =>
  statuses === null ? [] : [`${table}.status = ANY (${bind(statuses)}::text[])`]

// The type says that it is one of the two; SQL must not depend on that.
const written = (direction: Listing["sort"]["direction"]): Listing["sort"]["direction"] =>
  direction === "ASC" ? "ASC" : "DESC"
