/**
 * Pages of records.
 *
 * In the order of `listed_at`, with no other condition than on that time and on the status, a page costs the same
 * wherever it lies in the list: `counts` says how many records each eight hours hold, so only those that the page lies
 * in are walked through, in an index and from the nearer end. The total is a sum of the same counts. Any other list
 * looks at every record of the drawer.
 */
import type { Delivery } from "@watchword/store/Delivery"
import type { Listing, Page } from "@watchword/store/Store"
import { bucketOf, firstOf, lastOf } from "@watchword/store-sql/Buckets"
import { partitionOf } from "@watchword/store-sql/Partitions"
import { type Window, windowOf } from "@watchword/store-sql/Window"
import { type Sql, expression, joined, predicate } from "@watchword/store-sql/Conditions"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"
import { COLUMNS, type Deliveries, type Row } from "./Deliveries.ts"
import * as Statements from "./Statements.ts"

type Direction = Listing["sort"]["direction"]

/** The records of a slice that are listed from a time to another. */
interface Cell {
  readonly first: number
  readonly last: number
  readonly n: number
}

export interface Lists {
  readonly page: (listing: Listing) => Page
  /** How many records must be looked at, where that may be many. */
  readonly effort: (listing: Listing) => number
}

export const make = (db: Database, accounts: AccountNumbers, deliveries: Deliveries): Lists => {
  const countingAll = Statements.remembering<readonly [n: number]>(db)
  const countingBuckets = Statements.remembering<readonly [bucket: number, n: number]>(db)
  const reading = Statements.remembering<Row>(db)
  const selectSize = db.prepare<[number], number | null>("SELECT sum(n) FROM counts WHERE drawer = ?").pluck()

  const decode = (row: Row): Delivery => deliveries.decode(row).delivery

  const count = ({ text, values }: Sql): number => {
    const [n] = countingAll(`SELECT count(*) FROM deliveries WHERE ${text}`).get(...values) ?? [0]
    return n
  }

  /** The cells that a slice reaches into, in the order of the list. */
  const cellsOf = (drawer: number, slice: Window, direction: Direction): ReadonlyArray<Cell> => {
    const statuses = statusIn(slice)
    const counts = countingBuckets(
      `SELECT bucket, sum(n) FROM counts WHERE drawer = +? AND bucket BETWEEN ? AND ? AND ${statuses.text}
       GROUP BY bucket ORDER BY bucket ${written(direction)}`
    )
    return counts
      .all(drawer, bucketOf(slice.first), bucketOf(slice.last), ...statuses.values)
      .flatMap(([bucket, n]): ReadonlyArray<Cell> => {
        const first = Math.max(slice.first, firstOf(bucket))
        const last = Math.min(slice.last, lastOf(bucket))
        if (first > last) return []
        const isWhole = first === firstOf(bucket) && last === lastOf(bucket)
        return [{ first, last, n: isWhole ? n : count(inSlice(drawer, slice, first, last)) }]
      })
  }

  /** A page in the order of `listed_at`. */
  const walk = (drawer: number, slice: Window, cells: ReadonlyArray<Cell>, listing: Listing): Array<Delivery> => {
    const direction = written(listing.sort.direction)
    const found: Array<Delivery> = []
    let skip = listing.offset
    for (const cell of cells) {
      const take = Math.min(listing.limit - found.length, cell.n - skip)
      if (take > 0) found.push(...within(drawer, slice, cell, direction, skip, take))
      skip = Math.max(0, skip - cell.n)
    }
    return found
  }

  /** Records of a cell, from the end that is nearer. */
  const within = (
    drawer: number,
    slice: Window,
    { first, last, n }: Cell,
    direction: Direction,
    skip: number,
    take: number
  ): ReadonlyArray<Delivery> => {
    const behind = n - skip - take
    const isNear = skip <= behind
    const walked = isNear === (direction === "ASC") ? "ASC" : "DESC"
    const met = inSlice(drawer, slice, first, last)
    const inOrder = reading(
      `SELECT ${COLUMNS} FROM deliveries WHERE ${met.text}
       ORDER BY listed_at ${walked}, id ${walked} LIMIT +? OFFSET +?`
    )
    const found = inOrder.all(...met.values, take, isNear ? skip : behind).map(decode)
    return isNear ? found : found.toReversed()
  }

  /** A page in any order, of records that meet any conditions. */
  const search = (drawer: number, { limit, offset, sort, where }: Listing): ReadonlyArray<Delivery> => {
    const met = among(drawer, where)
    const by = expression(sort.field)
    const direction = written(sort.direction)
    const searching = reading(
      `SELECT ${COLUMNS} FROM deliveries WHERE ${met.text}
       ORDER BY ${by.text} ${direction}, id ${direction} LIMIT +? OFFSET +?`
    )
    return searching.all(...met.values, ...by.values, limit, offset).map(decode)
  }

  const pageOf = (drawer: number, listing: Listing): Page => {
    const slice = windowOf(listing)
    if (slice === null) return { total: count(among(drawer, listing.where)), rows: search(drawer, listing) }
    const cells = cellsOf(drawer, slice, listing.sort.direction)
    const total = cells.reduce((sum, { n }) => sum + n, 0)
    return { total, rows: slice.inOrder ? walk(drawer, slice, cells, listing) : search(drawer, listing) }
  }

  // The total and the rows are of the same moment, whatever other processes write.
  const atOnce = db.transaction(pageOf)

  const drawerAsked = ({ account, channel, mode }: Listing): number | undefined => {
    const owner = accounts.numberOf(account)
    return owner === undefined ? undefined : partitionOf(owner, mode, channel)
  }

  const page = (listing: Listing): Page => {
    const drawer = drawerAsked(listing)
    return drawer === undefined ? { total: 0, rows: [] } : atOnce(drawer, listing)
  }

  const effort = (listing: Listing): number => {
    if (namesIds(listing.where) || windowOf(listing)?.inOrder === true) return 0
    const drawer = drawerAsked(listing)
    return drawer === undefined ? 0 : (selectSize.get(drawer) ?? 0)
  }

  return { page, effort }
}

// The type says that it is one of the two; SQL must not depend on that.
const written = (direction: Direction): Direction => (direction === "ASC" ? "ASC" : "DESC")

const inDrawer = (drawer: number): Sql => ({ text: "drawer = +?", values: [drawer] })

const namesIds = (where: Listing["where"]): boolean => where.some(({ _tag, field }) => _tag === "In" && field === "id")

/** The records of a drawer that meet conditions. Those that name ids are found by them. */
const among = (drawer: number, where: Listing["where"]): Sql => {
  const drawn = namesIds(where) ? { text: "+drawer = +?", values: [drawer] } : inDrawer(drawer)
  return joined("AND", [drawn, ...where.map(predicate)])
}

/** What of a slice is listed from a time to another. */
const inSlice = (drawer: number, slice: Window, first: number, last: number): Sql =>
  joined("AND", [inDrawer(drawer), between(first, last), statusIn(slice)])

const between = (first: number, last: number): Sql => ({ text: "listed_at BETWEEN ? AND ?", values: [first, last] })

const statusIn = ({ statuses }: Window): Sql =>
  joined("AND", statuses === null ? [] : [predicate({ _tag: "In", field: "status", values: statuses })])
