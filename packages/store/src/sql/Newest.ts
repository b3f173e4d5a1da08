/**
 * The newest deliveries of all accounts, and counts of them, in SQLite's dialect, for the stores on SQLite and on D1.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import { type Sql, joined, predicate } from "./Conditions.ts"
import { type Counting, type Newest, type StatusCount, idsOf } from "../Listing.ts"
import { type Segment, WIDTH, segments } from "./Buckets.ts"
import { partitions } from "./ListSql.ts"
import { type Partitions, modeCode, modeOf } from "./Partitions.ts"

/** The id of the last record that a query looks at; without a row where it looks at all. */
export const reachOf = (query: Newest): Sql => {
  const { end, first } = idsOf(query)
  return {
    text: "SELECT id FROM deliveries WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1 OFFSET ?",
    values: [first, end, query.reach - 1]
  }
}

/**
 * The records of a query: what follows FROM, with `d` for the table.
 *
 * @param last the answer to {@link reachOf}
 */
export const newest = (query: Newest, last: string | undefined, { codeOf }: Partitions): Sql => {
  const { account, channels, mode, where } = query
  const { end, first } = idsOf(query)
  const { text, values } = joined("AND", [
    { text: "d.id >= ? AND d.id < ?", values: [last ?? first, end] },
    { text: `d.partition & 255 IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(channels.map(codeOf))] },
    ...(mode === null ? [] : [{ text: "d.partition >> 8 & 1 = ?", values: [modeCode(mode)] }]),
    ...(account === null
      ? []
      : [{ text: "d.partition / 512 = (SELECT n FROM accounts WHERE id = ?)", values: [account] }]),
    ...where.map(predicate)
  ])
  return { text: `${text} ORDER BY d.id DESC LIMIT ?`, values: [...values, query.limit] }
}

/** The `before` of the rest. */
export const nextOf = (
  { limit }: Newest,
  rows: ReadonlyArray<{ readonly id: DeliveryId }>,
  last: DeliveryId | undefined
): DeliveryId | null => (rows.length === limit ? rows.at(-1)?.id : last) ?? null

/** A row of {@link counts}: the lowest nine bits of a partition, a status, and how many have it. */
export type CountRow = readonly [kind: number, status: string, n: number]

/** @param widths of the tables `counts` and `fine_counts` that the database has */
export const counts = (
  { products, since, until }: Counting,
  { codeOf }: Partitions,
  widths: ReadonlyArray<number>
): Sql | null => {
  const parts = segments(since, until - 1, widths).map(countIn)
  if (parts.length === 0) return null
  return {
    text: `WITH RECURSIVE ${partitions}, wanted (place) AS MATERIALIZED (
        SELECT place FROM counted WHERE place & 255 IN (SELECT value FROM json_each(?))
      )
      SELECT kind, status, sum(n) AS n FROM (${parts.map(({ text }) => text).join(" UNION ALL ")})
      GROUP BY kind, status HAVING sum(n) > 0`,
    values: [JSON.stringify(products.map(({ name }) => codeOf(name))), ...parts.flatMap(({ values }) => values)]
  }
}

const countIn = ({ first, last, width }: Segment): Sql => ({
  text:
    width === 1
      ? `SELECT place & 511 AS kind, status, count(*) AS n FROM wanted CROSS JOIN deliveries INDEXED BY deliveries_listed
         ON partition = place AND listed_at BETWEEN +? AND +? GROUP BY 1, 2`
      : `SELECT place & 511 AS kind, status, sum(n) AS n FROM wanted
         CROSS JOIN ${width === WIDTH ? "counts" : "fine_counts"} ON partition = place AND bucket BETWEEN +? AND +?
         GROUP BY 1, 2`,
  values: [first, last]
})

export const decodeCount = ({ channelOf }: Partitions, [kind, status, count]: CountRow): StatusCount => ({
  mode: modeOf(kind >> 8),
  channel: channelOf(kind & 255),
  status,
  count
})
