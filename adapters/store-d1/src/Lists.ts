/**
 * Lists of records that follow the plans of `@watchword/store/sql`.
 *
 * D1 charges for each row that is written, so it has only the eight-hour counts: a page of a list in time order skips
 * up to one such bucket of the index. D1 itself ends queries that take too long.
 */
import type { Service as ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import {
  type Partitions,
  type Plan,
  type Segment,
  type Sql,
  WIDTH,
  type Window,
  expression,
  inStatus,
  modeCode,
  planOf,
  recordsIn,
  recordsOf,
  segments,
  written
} from "@watchword/store/sql"
import type { Listing, Page, Service } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { type Connection, numbered, rowsOf } from "./Connection.ts"
import { RECORD, parse } from "./Records.ts"

export const make = (connection: Connection, registry: ChannelRegistry, partitions: Partitions): Service["list"] => {
  const partitionOf = ({ account, channel, mode }: Listing): Sql => ({
    text: "(SELECT n * 512 + ? FROM accounts WHERE id = +?)",
    values: [modeCode(mode) * 256 + partitions.codeOf(channel), account]
  })

  const ask = (total: Sql, rows: Sql): Effect.Effect<Page, StoreError> =>
    // One transaction, so that the total and the rows are from the same moment.
    Effect.map(
      connection.run(() => [numbered(total), numbered(rows)]),
      ([counted, found]) => ({
        total: rowsOf<{ readonly total: number | null }>(counted)[0]?.total ?? 0,
        rows: rowsOf<{ readonly record: string }>(found).map(({ record }) => parse(partitions, record))
      })
    )

  return (listing) => {
    const plan: Plan = planOf(listing, registry.listedBy(listing.channel))
    const partition = partitionOf(listing)
    switch (plan._tag) {
      case "Nothing":
        return Effect.succeed({ total: 0, rows: [] })
      case "Counted": {
        const cells = cellsOf(plan.window, partition)
        return ask(sumOf(cells), walk(listing, plan.window, cells, partition))
      }
      default: {
        const found = recordsOf(plan, partition)
        return ask(countOf(found), sorted(listing, found))
      }
    }
  }
}

const countOf = ({ text, values }: Sql): Sql => ({ text: `SELECT count(*) AS total FROM ${text}`, values })

/** A page in any order. */
const sorted = ({ limit, offset, sort }: Listing, found: Sql): Sql => {
  const key = expression(sort.field)
  const direction = written(sort.direction)
  return {
    text: `SELECT ${RECORD} AS record
      FROM (SELECT d.id, ${key.text} AS key FROM ${found.text}
        ORDER BY key ${direction}, d.id ${direction} LIMIT +? OFFSET +?) page
      CROSS JOIN deliveries d ON d.id = page.id CROSS JOIN accounts a ON a.n = d.partition / 512
      ORDER BY page.key ${direction}, d.id ${direction}`,
    values: [...key.values, ...found.values, limit, offset]
  }
}

/**
 * The buckets that a window overlaps, with their record counts; buckets that are only partly in the window are counted.
 */
const cellsOf = (window: Window, partition: Sql): Sql => {
  const cells = segments(window.first, window.last, [WIDTH]).map((segment) => cellsIn(window, segment, partition))
  return {
    text: `cells AS (${cells.map(({ text }) => text).join(" UNION ALL ")})`,
    values: cells.flatMap(({ values }) => values)
  }
}

const cellsIn = (window: Window, { first, last, width }: Segment, partition: Sql): Sql => {
  if (width === 1) {
    const { text, values } = recordsIn({ ...window, first, last }, partition)
    return { text: `SELECT ? AS first, ? AS last, count(*) AS n FROM ${text}`, values: [first, last, ...values] }
  }
  const status = inStatus(window)
  return {
    text: `SELECT bucket * ${WIDTH} AS first, (bucket + 1) * ${WIDTH} - 1 AS last, sum(n) AS n FROM counts
      WHERE partition = ${partition.text} AND bucket BETWEEN +? AND +? AND ${status.text} GROUP BY bucket`,
    values: [...partition.values, first, last, ...status.values]
  }
}

const sumOf = ({ text, values }: Sql): Sql => ({ text: `WITH ${text} SELECT sum(n) AS total FROM cells`, values })

/** A page in the order of `listed_at`, starting at the cell that contains its first record. */
const walk = ({ limit, offset, sort }: Listing, window: Window, cells: Sql, partition: Sql): Sql => {
  const direction = written(sort.direction)
  const onwards =
    direction === "ASC" ? "listed_at >= (SELECT first FROM start)" : "listed_at <= (SELECT last FROM start)"
  const found = recordsIn(window, partition)
  return {
    text: `WITH ${cells.text},
      placed AS (SELECT first, last, n, sum(n) OVER (ORDER BY first ${direction}) - n AS before FROM cells),
      start AS (SELECT first, last, +? - before AS skip FROM placed WHERE before <= +? AND +? < before + n),
      page AS (SELECT d.id, d.listed_at FROM ${found.text} AND ${onwards}
        ORDER BY listed_at ${direction}, id ${direction} LIMIT +? OFFSET coalesce((SELECT skip FROM start), 0))
      SELECT ${RECORD} AS record FROM page
      CROSS JOIN deliveries d ON d.id = page.id CROSS JOIN accounts a ON a.n = d.partition / 512
      ORDER BY page.listed_at ${direction}, d.id ${direction}`,
    values: [...cells.values, offset, offset, offset, ...found.values, limit]
  }
}
