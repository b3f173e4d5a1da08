/**
 * Records of all accounts where few meet the conditions, however many others lie between them: the counts of an
 * account, or of a rare status, lead to them.
 *
 * Among a million records a status of one in 5,000 fills a page of a hundred in 106 ms; a walk by ids has found ten
 * after 71 ms.
 */
import { type Newest, idsOf, statusesOf } from "@watchword/store/Listing"
import {
  FINE_WIDTH,
  type Partitions,
  type Sql,
  UNBOUNDED,
  WIDTH,
  bucketOf,
  inStatus,
  joined,
  modeCode,
  predicate
} from "@watchword/store/sql"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"
import { COLUMNS, type Row } from "./Deliveries.ts"
import * as Statements from "./Statements.ts"

/** The most records that are read, and the most counts, and entries of an index, that are looked at for them. */
const FEW = 1_000
const LOOKED_AT = 20_000

/** Buckets of eight minutes in one of eight hours. */
const FINE = WIDTH / FINE_WIDTH

/** @returns the page of a query; null if many records may meet its conditions */
export const make = (
  db: Database,
  accounts: AccountNumbers,
  { codeOf }: Partitions
): ((query: Newest) => ReadonlyArray<Row> | null) => {
  const measuring = Statements.cached<readonly [looked: number, size: number]>(db)
  const reading = Statements.cached<Row>(db)

  /** Whether few counts are looked at, and they have few records. */
  const isFew = (tables: Sql, text: string, most: number): boolean => {
    const [looked, size] = measuring(`${tables.text} ${text}`).get(...tables.values) ?? [0, 0]
    return looked <= LOOKED_AT && size <= most
  }

  return (query) => {
    const places = placesOf(query, query.account === null ? null : (accounts.numberOf(query.account) ?? 0), codeOf)
    const status = inStatus({ ...UNBOUNDED, statuses: statusesOf(query) })
    const sized = { text: places.text, values: [...places.values, ...status.values] }
    if (!isFew(sized, `SELECT count(*), coalesce(sum(iif(${status.text}, n, 0)), 0) FROM looked`, FEW)) return null
    const cells = {
      text: `${places.text}, cells (p, b) AS MATERIALIZED (
          SELECT DISTINCT place, bucket FROM looked WHERE ${status.text}
        ), fine (p, f) AS MATERIALIZED (
          SELECT DISTINCT p, bucket FROM cells CROSS JOIN fine_counts
          ON partition = p AND bucket BETWEEN b * ${FINE} AND b * ${FINE} + ${FINE - 1} WHERE ${status.text}
        )`,
      values: [...places.values, ...status.values, ...status.values]
    }
    const entries = "SELECT 0, coalesce(sum(n), 0) FROM fine CROSS JOIN fine_counts ON partition = p AND bucket = f"
    if (!isFew(cells, entries, LOOKED_AT)) return null
    const { end, first } = idsOf(query)
    const met = joined("AND", [
      { text: "d.id >= +? AND d.id < +?", values: [first, end] },
      status,
      ...query.where.map(predicate)
    ])
    return reading(
      `${cells.text} SELECT ${COLUMNS} FROM fine CROSS JOIN deliveries d INDEXED BY deliveries_listed
       ON d.partition = p AND d.listed_at BETWEEN f * ${FINE_WIDTH} AND f * ${FINE_WIDTH} + ${FINE_WIDTH - 1}
       WHERE ${met.text} ORDER BY d.id DESC LIMIT +?`
    ).all(...cells.values, ...met.values, query.limit)
  }
}

/** The counts of a query's partitions since its time, as `looked`. @param account its number; null for all */
const placesOf = ({ channels, mode, since }: Newest, account: number | null, codeOf: Partitions["codeOf"]): Sql => {
  const low = account === null ? 0 : account * 512
  const high = account === null ? Number.MAX_SAFE_INTEGER : low + 511
  const modes = mode === null ? [0, 1] : [modeCode(mode)]
  return {
    text: `WITH RECURSIVE places (place) AS (
        SELECT min(partition) FROM counts WHERE partition >= +?
        UNION ALL SELECT (SELECT min(partition) FROM counts WHERE partition > place) FROM places WHERE place <= +?
      ), looked AS (
        SELECT place, bucket, status, n FROM places CROSS JOIN counts ON partition = place AND bucket >= +?
        WHERE place <= +? AND place & 511 IN (SELECT value FROM json_each(?)) LIMIT ${LOOKED_AT + 1}
      )`,
    values: [
      low,
      high,
      bucketOf(since),
      high,
      JSON.stringify(modes.flatMap((mode) => channels.map((channel) => mode * 256 + codeOf(channel))))
    ]
  }
}
