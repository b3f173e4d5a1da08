/**
 * Lists that look at many records, slice by slice: between two slices a list can be stopped.
 *
 * The keys of the records that are found go to a temporary table, which SQLite keeps in a file when it is large. The
 * total is their number, and the page is cut out of their order.
 */
import { type Filtered, WIDTH, type Window, expression, recordsOf, written } from "@watchword/store/sql"
import type { Listing, Page } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"
import { type Cell, type CountedPages, hidden } from "./CountedPages.ts"
import { COLUMNS, type Deliveries, type Row } from "./Deliveries.ts"
import * as Statements from "./Statements.ts"

/** About so many records are a slice: some ten milliseconds. */
const SLICE = 20_000

interface Time {
  readonly first: number
  readonly last: number
}

export const make = (db: Database, deliveries: Deliveries, counted: CountedPages) => {
  const writing = Statements.cached<never>(db)
  const reading = Statements.cached<Row>(db)

  /** The slices of a window, in order of time. */
  const slicesOf = (partition: number, window: Window): ReadonlyArray<Time> =>
    merged(
      counted
        .cellsOf(partition, window)
        .flatMap((cell) =>
          cell.width === WIDTH && cell.size > SLICE ? counted.divided(partition, window, cell) : [cell]
        ),
      window.statuses === null
    )

  /** Finds the records of one slice. */
  const find = (partition: number, plan: Filtered, slice: Time, { sort }: Listing): void => {
    const key = expression(sort.field)
    const { text, values } = recordsOf({ ...plan, window: { ...plan.window, ...slice } }, hidden(partition))
    const insert = writing(`INSERT INTO temp.found (key, id, n) SELECT ${key.text}, id, n FROM ${text}`)
    insert.run(...key.values, ...values)
  }

  const cut = ({ limit, offset, sort }: Listing): Page => {
    const direction = written(sort.direction)
    const total = db.prepare<[], number>("SELECT count(*) FROM temp.found").pluck().get() ?? 0
    const rows = reading(
      `SELECT ${COLUMNS.replace("n, id", "d.n, d.id")}
       FROM (SELECT * FROM temp.found ORDER BY key ${direction}, id ${direction} LIMIT +? OFFSET +?) f
       CROSS JOIN deliveries d ON d.n = f.n ORDER BY f.key ${direction}, f.id ${direction}`
    ).all(limit, offset)
    return { total, rows: rows.map((row) => deliveries.decode(row).delivery) }
  }

  /** One page; null when it was stopped. */
  const page = (partition: number, plan: Filtered, listing: Listing, isStopped: () => boolean): Page | null => {
    // Without a type, so that values of all types keep their order.
    db.exec("CREATE TEMP TABLE IF NOT EXISTS found (key, id TEXT, n INTEGER); DELETE FROM temp.found")
    for (const slice of slicesOf(partition, plan.window)) {
      if (isStopped()) return null
      find(partition, plan, slice, listing)
    }
    return isStopped() ? null : cut(listing)
  }

  return { page }
}

/** Joins cells while they are small, across gaps only where those have no records of any status. */
const merged = (cells: ReadonlyArray<Cell>, isGapEmpty: boolean): ReadonlyArray<Time> => {
  const slices: Array<Time & { readonly size: number }> = []
  for (const { first, last, size } of cells) {
    const before = slices.at(-1)
    const isNear = before !== undefined && (isGapEmpty || first === before.last + 1)
    if (isNear && before.size + size <= SLICE) {
      slices[slices.length - 1] = { first: before.first, last, size: before.size + size }
    } else {
      slices.push({ first, last, size })
    }
  }
  return slices
}
