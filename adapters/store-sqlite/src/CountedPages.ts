/**
 * Pages of a window in the order of `listed_at`, and the cells into which counts divide a window.
 *
 * The eight-hour counts add up to the total and lead to the bucket in which the page begins; the eight-minute counts
 * lead to its records, which are read from the index, starting at the nearer end. So a page costs the same wherever it
 * is in the list, and however long the list is.
 */
import {
  FINE_WIDTH,
  type Segment,
  type Sql,
  WIDTH,
  type Window,
  firstOf,
  inStatus,
  lastOf,
  recordsIn,
  segments,
  written
} from "@watchword/store/sql"
import type { Delivery } from "@watchword/store/Delivery"
import type { Listing, Page } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"
import { COLUMNS, type Deliveries, type Row } from "./Deliveries.ts"
import * as Statements from "./Statements.ts"

/** The records of a window in one bucket, or in the part of it that the window overlaps. */
export interface Cell {
  readonly width: number
  readonly first: number
  readonly last: number
  /** The number of records with one of the window's statuses. */
  readonly n: number
  /** The number of records with any status: the maximum number of index entries to read. */
  readonly size: number
}

/** An eight-hour bucket with fewer records is read without further division. */
const FEW = 500

export type CountedPages = ReturnType<typeof make>

export const make = (db: Database, deliveries: Deliveries) => {
  const counting = Statements.cached<readonly [n: number]>(db)
  const countingBuckets = Statements.cached<readonly [bucket: number, n: number, size: number]>(db)
  const reading = Statements.cached<Row>(db)

  /** The cells of a window that contain records, in order of time. */
  const cellsOf = (partition: number, window: Window): ReadonlyArray<Cell> =>
    segments(window.first, window.last).flatMap((segment) => cellsIn(partition, window, segment))

  const cellsIn = (partition: number, window: Window, segment: Segment): ReadonlyArray<Cell> => {
    const { first, last, width } = segment
    if (width === 1) {
      const { text, values } = recordsIn({ ...window, first, last }, hidden(partition))
      const [n] = counting(`SELECT count(*) FROM ${text}`).get(...values) ?? [0]
      return n === 0 ? [] : [{ width, first, last, n, size: n }]
    }
    const { text, values } = inStatus(window)
    const buckets = countingBuckets(
      `SELECT bucket, sum(iif(${text}, n, 0)) AS found, sum(n) FROM ${width === WIDTH ? "counts" : "fine_counts"}
       WHERE partition = +? AND bucket BETWEEN +? AND +? GROUP BY bucket HAVING found > 0 ORDER BY bucket`
    )
    return buckets
      .all(...values, partition, first, last)
      .map(([bucket, n, size]) => ({ width, first: firstOf(bucket, width), last: lastOf(bucket, width), n, size }))
  }

  /** The eight-minute cells of an eight-hour cell. */
  const divided = (partition: number, window: Window, { first, last }: Cell): ReadonlyArray<Cell> =>
    cellsIn(partition, window, { width: FINE_WIDTH, first: first / FINE_WIDTH, last: (last + 1) / FINE_WIDTH - 1 })

  /**
   * One page; null if it requires reading more than `most` index entries, which can happen with rare statuses and busy
   * minutes.
   */
  const page = (partition: number, window: Window, listing: Listing, most: number): Page | null => {
    const direction = written(listing.sort.direction)
    const inOrder = (cells: ReadonlyArray<Cell>) => (direction === "ASC" ? cells : cells.toReversed())
    const rows: Array<Delivery> = []
    let skip = listing.offset
    let walked = 0

    const visit = (cell: Cell): void => {
      const take = Math.min(listing.limit - rows.length, cell.n - skip)
      if (take <= 0) {
        skip = Math.max(0, skip - cell.n)
        return
      }
      if (cell.width === WIDTH && cell.size > FEW) {
        for (const part of inOrder(divided(partition, window, cell))) visit(part)
        return
      }
      const behind = cell.n - skip - take
      walked += window.statuses === null ? Math.min(skip, behind) + take : cell.size
      if (walked <= most) rows.push(...read(partition, window, cell, direction, { skip, take, behind }))
      skip = 0
    }

    const cells = cellsOf(partition, window)
    for (const cell of inOrder(cells)) visit(cell)
    return walked > most ? null : { total: cells.reduce((sum, { n }) => sum + n, 0), rows }
  }

  /** Records of a cell, starting at the nearer end. */
  const read = (
    partition: number,
    window: Window,
    { first, last }: Cell,
    direction: "ASC" | "DESC",
    { behind, skip, take }: { readonly behind: number; readonly skip: number; readonly take: number }
  ): ReadonlyArray<Delivery> => {
    const isNear = skip <= behind
    const walked = isNear === (direction === "ASC") ? "ASC" : "DESC"
    const { text, values } = recordsIn({ ...window, first, last }, hidden(partition))
    const found = reading(
      `SELECT ${COLUMNS} FROM ${text} ORDER BY listed_at ${walked}, id ${walked} LIMIT +? OFFSET +?`
    )
    const rows = found.all(...values, take, isNear ? skip : behind).map((row) => deliveries.decode(row).delivery)
    return isNear ? rows : rows.toReversed()
  }

  return { cellsOf, divided, page }
}

/** A partition as SQL, hidden from the planner. */
export const hidden = (partition: number): Sql => ({ text: "+?", values: [partition] })
