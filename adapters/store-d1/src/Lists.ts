/**
 * Pages of records.
 *
 * In the order of `listed_at`, with no other condition than on that time and on the status, a page costs
 * the same wherever it lies in the list: `counts` says how many records each eight hours hold, so only
 * those that the page lies in are walked through, in an index. The total is a sum of the same counts.
 * Any other list looks at every record of the partition.
 */
import type { Listing, Service } from "@watchword/store/Store"
import { WIDTH, bucketOf } from "@watchword/store-sql/Buckets"
import { type Sql, expression, joined, predicate } from "@watchword/store-sql/Conditions"
import { type Partitions, modeCode } from "@watchword/store-sql/Partitions"
import { type Window, windowOf } from "@watchword/store-sql/Window"
import * as Effect from "effect/Effect"
import { type Connection, type Statement, rowsOf } from "./Connection.ts"
import { RECORD, parse } from "./Records.ts"

type Direction = Listing["sort"]["direction"]

/** A listing, and the code of its channel. */
interface Asked extends Listing {
  readonly code: number
}

export const make =
  (connection: Connection, partitions: Partitions): Service["list"] =>
  (request) => {
    const listing: Asked = { ...request, code: partitions.codeOf(request.channel) }
    const slice = windowOf(listing)
    const total = slice === null ? countMatching(listing) : countSlice(listing, slice)
    const rows = slice?.inOrder === true ? walk(listing, slice) : search(listing)
    // One transaction: the total and the rows are of the same moment.
    return Effect.map(
      connection.run(() => [numbered(total), numbered(rows)]),
      ([counted, found]) => ({
        total: rowsOf<{ readonly total: number | null }>(counted)[0]?.total ?? 0,
        rows: rowsOf<{ readonly record: string }>(found).map(({ record }) => parse(partitions, record))
      })
    )
  }

const countMatching = (listing: Asked): Sql => {
  const met = among(listing)
  return { text: `SELECT count(*) AS total FROM deliveries d WHERE ${met.text}`, values: met.values }
}

/** A page in any order, of records that meet any conditions. */
const search = (listing: Asked): Sql => {
  const { limit, offset, sort } = listing
  const met = among(listing)
  const by = expression(sort.field)
  const direction = written(sort.direction)
  return {
    text: `SELECT ${RECORD} AS record
      FROM (SELECT d.id, ${by.text} AS place FROM deliveries d WHERE ${met.text}
        ORDER BY place ${direction}, d.id ${direction} LIMIT ? OFFSET ?) page
      CROSS JOIN deliveries d ON d.id = page.id CROSS JOIN accounts a ON a.n = d.partition / 512
      ORDER BY page.place ${direction}, d.id ${direction}`,
    values: [...by.values, ...met.values, limit, offset]
  }
}

/** How many records of a slice lie in each bucket that it reaches into: the rows of `filled`. */
const filled = (listing: Asked, { first, last, statuses }: Window): Sql => {
  const partition = partitionOf(listing)
  const status = statusIn(statuses)
  return {
    text: `filled AS (
      SELECT bucket, CASE WHEN bucket = ? OR bucket = ? THEN
        (SELECT count(*) FROM deliveries WHERE partition = ${partition.text} AND ${status.text}
          AND listed_at BETWEEN max(?, bucket * ${WIDTH}) AND min(?, bucket * ${WIDTH} + ${WIDTH - 1}))
        ELSE sum(n) END AS n
      FROM counts WHERE partition = ${partition.text} AND bucket BETWEEN ? AND ? AND ${status.text} GROUP BY bucket
    )`,
    values: [
      bucketOf(first),
      bucketOf(last),
      ...partition.values,
      ...status.values,
      first,
      last,
      ...partition.values,
      bucketOf(first),
      bucketOf(last),
      ...status.values
    ]
  }
}

const countSlice = (listing: Asked, slice: Window): Sql => {
  const { text, values } = filled(listing, slice)
  return { text: `WITH ${text} SELECT sum(n) AS total FROM filled`, values }
}

/** A page in the order of `listed_at`: from the bucket that it begins in onwards. */
const walk = (listing: Asked, slice: Window): Sql => {
  const { limit, offset } = listing
  const direction = written(listing.sort.direction)
  const partition = partitionOf(listing)
  const status = statusIn(slice.statuses)
  const counts = filled(listing, slice)
  const onwards =
    direction === "ASC"
      ? `d.listed_at >= (SELECT bucket * ${WIDTH} FROM start)`
      : `d.listed_at < (SELECT (bucket + 1) * ${WIDTH} FROM start)`
  return {
    text: `WITH ${counts.text},
      placed AS (SELECT bucket, n, sum(n) OVER (ORDER BY bucket ${direction}) - n AS before FROM filled),
      start AS (SELECT bucket, ? - before AS skip FROM placed WHERE before <= ? AND ? < before + n)
      SELECT ${RECORD} AS record FROM deliveries d CROSS JOIN accounts a ON a.n = d.partition / 512
      WHERE d.partition = ${partition.text} AND d.listed_at BETWEEN ? AND ? AND ${onwards} AND ${status.text}
      ORDER BY d.listed_at ${direction}, d.id ${direction} LIMIT ? OFFSET coalesce((SELECT skip FROM start), 0)`,
    values: [
      ...counts.values,
      offset,
      offset,
      offset,
      ...partition.values,
      slice.first,
      slice.last,
      ...status.values,
      limit
    ]
  }
}

// The type says that it is one of the two; SQL must not depend on that.
const written = (direction: Direction): Direction => (direction === "ASC" ? "ASC" : "DESC")

const partitionOf = ({ account, code, mode }: Asked): Sql => ({
  text: "(SELECT n * 512 + ? FROM accounts WHERE id = ?)",
  values: [modeCode(mode) * 256 + code, account]
})

/** The records of a partition that meet conditions. Those that name ids are found by them. */
const among = (listing: Asked): Sql => {
  const { where } = listing
  const partition = partitionOf(listing)
  const namesIds = where.some(({ _tag, field }) => _tag === "In" && field === "id")
  return joined("AND", [
    { text: `${namesIds ? "+" : ""}partition = ${partition.text}`, values: partition.values },
    ...where.map(predicate)
  ])
}

const statusIn = (statuses: Window["statuses"]): Sql =>
  joined("AND", statuses === null ? [] : [predicate({ _tag: "In", field: "status", values: statuses })])

/** Numbers the parameters. What is bound more than once takes one of the hundred that D1 allows. */
const numbered = ({ text, values }: Sql): Statement => {
  const bound = [...new Set(values)]
  const numbers = new Map(bound.map((value, index) => [value, index + 1]))
  let place = 0
  return { sql: text.replaceAll("?", () => `?${numbers.get(values[place++] ?? "")}`), values: bound }
}
