/**
 * Pages of records, each with its total in one query.
 *
 * In the order of `listed_at`, with no other condition than on that time and on the status, a page costs the same
 * wherever it lies in the list: `counts` says how many records each eight hours hold, so only those that the page
 * lies in are walked through, in an index. The total is a sum of the same counts. Any other list looks at every
 * record of the partition.
 */
import { WIDTH, bucketOf } from "@watchword/store-sql/Buckets"
import { type Partitions, modeCode } from "@watchword/store-sql/Partitions"
import { type OrderedWindow, windowOf } from "@watchword/store-sql/Window"
import type { Listing, Page } from "@watchword/store/Store"
import { type Bind, all, binding, orderBy, predicate } from "./Conditions.ts"
import type { Values } from "./Connections.ts"
import { type Row, decoder } from "./Rows.ts"
import { record } from "./sql/shape.ts"

export interface Query {
  readonly text: string
  readonly values: Values
}

/** The query for a page; its answer goes to {@link pageOf}. */
export const queryOf = (schema: string, partitions: Partitions, listing: Listing): Query => {
  const { bind, values } = binding()
  const slice = windowOf(listing)
  const account = bind(listing.account)
  const partition = `account = (SELECT n FROM ${schema}.accounts WHERE id = ${account})
    AND mode = ${modeCode(listing.mode)} AND channel = ${partitions.codeOf(listing.channel)}`
  const parts: Parts = { schema, bind, partition, listing, account }
  return { text: slice === null ? searched(parts) : sliced(parts, slice), values }
}

/** What the query answers: one row. */
export type PageRow = [total: number, records: ReadonlyArray<Row> | null]

export const pageOf = (partitions: Partitions, [row]: ReadonlyArray<PageRow>): Page => {
  const [total, records] = row ?? [0, null]
  return { total, rows: (records ?? []).map(decoder(partitions)) }
}

interface Parts {
  readonly schema: string
  readonly bind: Bind
  /** A condition that holds in the partition. */
  readonly partition: string
  readonly listing: Listing
  readonly account: string
}

/** The total by looking at the records, and a page in any order. */
const searched = (parts: Parts): string => {
  const { bind, listing, partition, schema } = parts
  const met = all([partition, ...listing.where.map((condition) => predicate(bind, condition))])
  return `SELECT (SELECT count(*) FROM ${schema}.deliveries d WHERE ${met}), ${search(parts, met)}`
}

const search = ({ account, bind, listing: { limit, offset, sort }, schema }: Parts, met: string): string =>
  `(SELECT json_agg(${record("d", account)}) FROM (
    SELECT d.* FROM ${schema}.deliveries d WHERE ${met} ORDER BY ${orderBy(bind, sort.field, written(sort.direction))}
    LIMIT ${bind(limit)}::bigint OFFSET ${bind(offset)}::bigint
  ) d)`

/** The total from the counts, and a page. Buckets that the slice reaches into only partly are counted. */
const sliced = (parts: Parts, slice: OrderedWindow): string => {
  const { bind, partition, schema } = parts
  const first = `${bind(slice.first)}::bigint`
  const last = `${bind(slice.last)}::bigint`
  const statuses = slice.statuses === null ? null : `${bind(slice.statuses)}::text[]`
  const inStatus = statuses === null ? "TRUE" : `status = ANY (${statuses})`
  const buckets = [bucketOf(slice.first), bucketOf(slice.last)].map((bucket) => `${bind(bucket)}::bigint`)
  const met = all([partition, `d.listed_at BETWEEN ${first} AND ${last}`, `d.${inStatus}`.replace("d.TRUE", "TRUE")])
  return `WITH counted AS MATERIALIZED (
    SELECT bucket, sum(n) AS n FROM ${schema}.counts
    WHERE ${partition} AND bucket BETWEEN ${buckets[0]} AND ${buckets[1]} AND ${inStatus} GROUP BY bucket
  ), exact AS MATERIALIZED (
    SELECT bucket, CASE
      WHEN bucket::bigint * ${WIDTH} >= ${first} AND bucket::bigint * ${WIDTH} + ${WIDTH - 1} <= ${last} THEN n
      ELSE (SELECT count(*) FROM ${schema}.deliveries d
        WHERE ${met} AND d.listed_at BETWEEN bucket::bigint * ${WIDTH} AND bucket::bigint * ${WIDTH} + ${WIDTH - 1})
    END AS n FROM counted
  )${slice.inOrder ? wanted(parts) : ""}
  SELECT (SELECT coalesce(sum(n), 0) FROM exact)::bigint, ${slice.inOrder ? walk(parts, met) : search(parts, met)}`
}

/** The buckets that the page lies in, and how many records lie before them. */
const wanted = ({ bind, listing: { limit, offset, sort } }: Parts): string => {
  const start = `${bind(offset)}::bigint`
  return `, placed AS (
    SELECT bucket::bigint AS bucket, n, sum(n) OVER (ORDER BY bucket ${written(sort.direction)}) - n AS before FROM exact
  ), wanted AS MATERIALIZED (
    SELECT min(bucket) * ${WIDTH} AS low, max(bucket) * ${WIDTH} + ${WIDTH - 1} AS high,
      (${start} - min(before))::bigint AS skipped
    FROM placed WHERE before < ${start} + ${bind(limit)}::bigint AND before + n > ${start}
  )`
}

/** A page in the order of `listed_at`: what is skipped is read from the index alone. */
const walk = ({ account, bind, listing, schema }: Parts, met: string): string => {
  const way = written(listing.sort.direction)
  return `(SELECT json_agg(${record("r", account)} ORDER BY r.listed_at ${way}, r.id ${way}) FROM (
    SELECT d.id FROM ${schema}.deliveries d
    WHERE ${met} AND d.listed_at BETWEEN (SELECT low FROM wanted) AND (SELECT high FROM wanted)
    ORDER BY d.listed_at ${way}, d.id ${way}
    LIMIT ${bind(listing.limit)}::bigint OFFSET (SELECT skipped FROM wanted)
  ) k JOIN ${schema}.deliveries r ON r.id = k.id)`
}

// The type says that it is one of the two; SQL must not depend on that.
const written = (direction: Listing["sort"]["direction"]): Listing["sort"]["direction"] =>
  direction === "ASC" ? "ASC" : "DESC"
