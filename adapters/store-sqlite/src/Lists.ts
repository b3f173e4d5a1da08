/**
 * Pages of records.
 *
 * In the order of `listed_at`, with no other condition than on that time and on the status, a page costs
 * the same wherever it lies in the list: `counts` says how many records each eight hours hold, so only
 * those that the page lies in are walked through, in an index and from the nearer end. The total is a sum of
 * the same counts.
 * Any other list looks at every record of the drawer.
 */
import type { Delivery } from "@watchword/store/Delivery"
import type { Listing, Page } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"
import { bucketOf, firstOf, lastOf } from "@watchword/store/sql/Buckets"
import { type Sql, expression, joined, predicate } from "@watchword/store/sqlite/Conditions"
import { COLUMNS, type Deliveries, type Row } from "./Deliveries.ts"
import { drawerOf } from "@watchword/store/sql/Drawers"
import { type Slice, sliceOf } from "@watchword/store/sql/Slice"

type Direction = Listing["sort"]["direction"]

/** How many records of a slice lie in a bucket. */
interface Count {
  readonly bucket: number
  readonly n: number
}

export interface Lists {
  readonly page: (listing: Listing) => Page
  /** How many records must be looked at, where that may be many. */
  readonly effort: (listing: Listing) => number
}

export const make = (db: Database, accounts: AccountNumbers, deliveries: Deliveries): Lists => {
  const selectSize = db.prepare<[number], number | null>("SELECT sum(n) FROM counts WHERE drawer = ?").pluck()

  const decode = (row: Row): Delivery => deliveries.decode(row).delivery

  const count = ({ text, values }: Sql): number => {
    const counting = db.prepare<Array<string | number>, number>(`SELECT count(*) FROM deliveries WHERE ${text}`).pluck()
    return counting.get(...values) ?? 0
  }

  /** The buckets that a slice reaches into, in the order of the list, each with how much of it is there. */
  const countsOf = (drawer: number, slice: Slice, direction: Direction): ReadonlyArray<Count> => {
    const statuses = statusIn(slice)
    const counts = db.prepare<Array<string | number>, Count>(
      `SELECT bucket, sum(n) AS n FROM counts
       WHERE drawer = ? AND bucket BETWEEN ? AND ? AND ${statuses.text}
       GROUP BY bucket ORDER BY bucket ${written(direction)}`
    )
    return counts.all(drawer, bucketOf(slice.first), bucketOf(slice.last), ...statuses.values).map(({ bucket, n }) => {
      const whole = slice.first <= firstOf(bucket) && lastOf(bucket) <= slice.last
      return { bucket, n: whole ? n : count(within(drawer, slice, bucket)) }
    })
  }

  /** Records of a slice in the order of `listed_at` or against it, as a question about each bucket. */
  const walking = (drawer: number, slice: Slice, direction: Direction) => {
    const inBucket = db
      .prepare<Array<string | number>, Row>(
        `SELECT ${COLUMNS} FROM deliveries WHERE ${within(drawer, slice, 0).text}
         ORDER BY listed_at ${direction}, id ${direction} LIMIT ? OFFSET ?`
      )
      .raw()
    return (bucket: number, limit: number, offset: number): Array<Delivery> =>
      inBucket.all(...within(drawer, slice, bucket).values, limit, offset).map(decode)
  }

  /** A page in the order of `listed_at`, from the end of each bucket that is nearer. */
  const walk = (drawer: number, slice: Slice, counts: ReadonlyArray<Count>, listing: Listing): Array<Delivery> => {
    const direction = written(listing.sort.direction)
    const forwards = walking(drawer, slice, direction)
    const backwards = walking(drawer, slice, direction === "ASC" ? "DESC" : "ASC")
    const found: Array<Delivery> = []
    let skip = listing.offset
    for (const { bucket, n } of counts) {
      if (found.length >= listing.limit) break
      if (skip < n) {
        const limit = Math.min(listing.limit - found.length, n - skip)
        const behind = n - skip - limit
        found.push(...(behind < skip ? backwards(bucket, limit, behind).toReversed() : forwards(bucket, limit, skip)))
      }
      skip = Math.max(0, skip - n)
    }
    return found
  }

  /** A page in any order, of records that meet any conditions. */
  const search = (drawer: number, { limit, offset, sort, where }: Listing): ReadonlyArray<Delivery> => {
    const met = among(drawer, where)
    const by = expression(sort.field)
    const direction = written(sort.direction)
    const searching = db.prepare<Array<string | number>, Row>(
      `SELECT ${COLUMNS} FROM deliveries WHERE ${met.text}
       ORDER BY ${by.text} ${direction}, id ${direction} LIMIT ? OFFSET ?`
    )
    return searching
      .raw()
      .all(...met.values, ...by.values, limit, offset)
      .map(decode)
  }

  const pageOf = (drawer: number, listing: Listing): Page => {
    const slice = sliceOf(listing)
    if (slice === null) {
      return { total: count(among(drawer, listing.where)), rows: search(drawer, listing) }
    }
    const counts = countsOf(drawer, slice, listing.sort.direction)
    const total = counts.reduce((sum, { n }) => sum + n, 0)
    return { total, rows: slice.inOrder ? walk(drawer, slice, counts, listing) : search(drawer, listing) }
  }

  // The total and the rows are of the same moment, whatever other processes write.
  const atOnce = db.transaction(pageOf)

  const drawerAsked = ({ account, channel, mode }: Listing): number | undefined => {
    const owner = accounts.numberOf(account)
    return owner === undefined ? undefined : drawerOf(owner, mode, channel)
  }

  const page = (listing: Listing): Page => {
    const drawer = drawerAsked(listing)
    return drawer === undefined ? { total: 0, rows: [] } : atOnce(drawer, listing)
  }

  const effort = (listing: Listing): number => {
    if (namesIds(listing.where) || sliceOf(listing)?.inOrder === true) return 0
    const drawer = drawerAsked(listing)
    return drawer === undefined ? 0 : (selectSize.get(drawer) ?? 0)
  }

  return { page, effort }
}

// The type says that it is one of the two; SQL must not depend on that.
const written = (direction: Direction): Direction => (direction === "ASC" ? "ASC" : "DESC")

const inDrawer = (drawer: number): Sql => ({ text: "drawer = ?", values: [drawer] })

const namesIds = (where: Listing["where"]): boolean => where.some(({ _tag, field }) => _tag === "In" && field === "id")

/** The records of a drawer that meet conditions. Those that name ids are found by them. */
const among = (drawer: number, where: Listing["where"]): Sql => {
  const drawn = namesIds(where) ? { text: "+drawer = ?", values: [drawer] } : inDrawer(drawer)
  return joined("AND", [drawn, ...where.map(predicate)])
}

/** What of a slice lies in a bucket. */
const within = (drawer: number, slice: Slice, bucket: number): Sql =>
  joined("AND", [
    inDrawer(drawer),
    {
      text: "listed_at BETWEEN ? AND ?",
      values: [Math.max(slice.first, firstOf(bucket)), Math.min(slice.last, lastOf(bucket))]
    },
    statusIn(slice)
  ])

const statusIn = ({ statuses }: Slice): Sql =>
  joined("AND", statuses === null ? [] : [predicate({ _tag: "In", field: "status", values: statuses })])
