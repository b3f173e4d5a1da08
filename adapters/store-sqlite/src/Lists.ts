/**
 * Pages of records.
 *
 * In the order of `listed_at`, with no other condition than on that time and on the status, a page costs
 * the same wherever it lies in the list: `counts` says how many records each eight hours hold, and blocks what those
 * are made of, so only the few that the page lies in are walked through, in an index and from the nearer end. The
 * total is a sum of the same counts. With conditions on one other field, the summaries of sealed records say how many
 * meet them, and where; the others are looked at.
 * Any other list looks at every record of the drawer.
 */
import type { Delivery } from "@watchword/store/Delivery"
import type { Listing, Page } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"
import { bucketOf, firstOf, lastOf } from "@watchword/store-sql/Buckets"
import { type Sql, expression, joined, predicate } from "@watchword/store-sql/Conditions"
import { COLUMNS, type Deliveries, type Row } from "./Deliveries.ts"
import { partitionOf } from "@watchword/store-sql/Partitions"
import { type Window, windowOf, timeOf } from "@watchword/store-sql/Window"
import * as Statements from "./Statements.ts"
import * as Blocks from "./summaries/Blocks.ts"
import * as Corrections from "./summaries/Corrections.ts"
import { fieldsOf } from "./summaries/Fields.ts"
import { SHAPE, type Shape } from "./summaries/Shape.ts"
import { type Test, testOf } from "./summaries/Test.ts"
import * as Tree from "./summaries/Tree.ts"

type Direction = Listing["sort"]["direction"]

/** Conditions that summaries can answer: on one field, which has this number. */
interface Summarised {
  readonly field: number
  readonly test: Test
}

export interface Lists {
  readonly page: (listing: Listing) => Page
  /** How many records must be looked at, where that may be many. */
  readonly effort: (listing: Listing) => number
}

export const make = (
  db: Database,
  accounts: AccountNumbers,
  deliveries: Deliveries,
  shape: Pick<Shape, "rows" | "fan"> = SHAPE
): Lists => {
  const countingAll = Statements.remembering<readonly [n: number]>(db)
  const countingBuckets = Statements.remembering<readonly [bucket: number, n: number, among: number]>(db)
  const reading = Statements.remembering<Row>(db)
  const blocks = Blocks.make(db)
  const corrected = Corrections.make(db)
  const plant = Tree.make(db, shape)
  const selectSize = db.prepare<[number], number | null>("SELECT sum(n) FROM counts WHERE drawer = ?").pluck()

  const selectNumbered = db
    .prepare<[string], Row>(`SELECT ${COLUMNS} FROM deliveries WHERE n IN (SELECT value FROM json_each(?))`)
    .raw()

  const decode = (row: Row): Delivery => deliveries.decode(row).delivery

  const count = ({ text, values }: Sql): number => {
    const [n] = countingAll(`SELECT count(*) FROM deliveries WHERE ${text}`).get(...values) ?? [0]
    return n
  }

  /** The cells that a slice reaches into, in the order of the list, each with how much of it is there. */
  const cellsOf = (
    drawer: number,
    slice: Window,
    records: Blocks.Records,
    direction: Direction
  ): ReadonlyArray<Blocks.Cell> => {
    const statuses = statusIn(slice)
    const counts = countingBuckets(
      `SELECT bucket, sum(iif(${statuses.text}, n, 0)), sum(n) FROM counts
       WHERE drawer = +? AND bucket BETWEEN ? AND ? GROUP BY bucket ORDER BY bucket ${written(direction)}`
    )
    return counts
      .all(...statuses.values, drawer, bucketOf(slice.first), bucketOf(slice.last))
      .flatMap(([bucket, n, among]): ReadonlyArray<Blocks.Cell> => {
        const first = Math.max(slice.first, firstOf(bucket))
        const last = Math.min(slice.last, lastOf(bucket))
        if (n === 0 || first > last) return []
        const isWhole = first === firstOf(bucket) && last === lastOf(bucket)
        return [{ ...(isWhole ? { first, last, n } : records.between({ first, last })), among }]
      })
  }

  /** Counts records of a slice one by one. */
  const counting =
    (drawer: number, slice: Window): Blocks.Count =>
    (first, last) =>
      count(inSlice(drawer, slice, first, last))

  /** Records that meet a condition, in the order of `listed_at` or against it. */
  const walking = (met: Sql, direction: Direction, limit: number, offset: number): Array<Delivery> => {
    const inOrder = reading(
      `SELECT ${COLUMNS} FROM deliveries WHERE ${met.text}
       ORDER BY listed_at ${direction}, id ${direction} LIMIT +? OFFSET +?`
    )
    return inOrder.all(...met.values, limit, offset).map(decode)
  }

  /** A page in the order of `listed_at`. */
  const walk = (
    drawer: number,
    slice: Window,
    all: Blocks.Records,
    cells: ReadonlyArray<Blocks.Cell>,
    listing: Listing
  ): Array<Delivery> => {
    const direction = written(listing.sort.direction)
    const found: Array<Delivery> = []
    let skip = listing.offset

    const visit = (cell: Blocks.Cell): void => {
      const take = Math.min(listing.limit - found.length, cell.n - skip)
      const behind = cell.n - skip - take
      const records = Math.min(skip, behind) + take
      if (take > 0 && (records * (cell.among ?? 0)) / cell.n > shape.rows / 2) {
        const from = direction === "ASC" ? skip : behind
        for (const part of ordered(all.divide(cell, { from, to: from + take }), direction)) visit(part)
        return
      }
      if (take > 0) found.push(...within(drawer, slice, all, cell, direction, skip, take))
      skip = Math.max(0, skip - cell.n)
    }

    for (const cell of cells) {
      if (found.length >= listing.limit) break
      visit(cell)
    }
    return found
  }

  /** Records of a cell, from the end that is nearer. */
  const within = (
    drawer: number,
    slice: Window,
    all: Blocks.Records,
    cell: Blocks.Cell,
    direction: Direction,
    skip: number,
    take: number
  ): ReadonlyArray<Delivery> => {
    const from = direction === "ASC" ? skip : cell.n - skip - take
    const near = all.narrow(cell, { from, to: from + take })
    const behind = near.cell.n - near.from - take
    const met = inSlice(drawer, slice, near.cell.first, near.cell.last)
    const isInOrder = near.from <= behind
    const found = walking(met, isInOrder ? "ASC" : "DESC", take, isInOrder ? near.from : behind)
    return isInOrder === (direction === "ASC") ? found : found.toReversed()
  }

  /** Some of the records that have these numbers, oldest first. */
  const some = (numbers: ArrayLike<number>, direction: Direction, skip: number, take: number): Array<Delivery> => {
    const wanted: Array<number> = []
    for (let place = skip; place < Math.min(skip + take, numbers.length); place++) {
      wanted.push(numbers[direction === "ASC" ? place : numbers.length - 1 - place] ?? 0)
    }
    const rows = new Map(selectNumbered.all(JSON.stringify(wanted)).map((row) => [row[0], row]))
    return wanted.flatMap((n) => {
      const row = rows.get(n)
      return row === undefined ? [] : [decode(row)]
    })
  }

  const summarised = (listing: Listing): Summarised | null => {
    if (listing.sort.field !== timeOf(listing.channel)) return null
    const [first, ...others] = listing.where
    if (first === undefined || others.some(({ field }) => field !== first.field)) return null
    const known = fieldsOf(listing.channel).find(({ field }) => field === first.field)
    return known === undefined ? null : { field: known.number, test: testOf(first, ...others) }
  }

  /** A page in the order of `listed_at`, of records that meet conditions on one field. */
  const pick = (drawer: number, { field, test }: Summarised, { limit, offset, sort, where }: Listing): Page => {
    const direction = written(sort.direction)
    const met = joined("AND", where.map(predicate))
    const { blocks: sealed, last } = blocks.extent(drawer)
    const corrections = corrected(drawer, met)
    const tree = plant({ drawer, blocks: sealed, field, test, corrections })
    const inTree = tree.total()
    const young = joined("AND", [inDrawer(drawer), { text: "listed_at > ?", values: [last] }, met])
    const outside = count(young)

    const fromTree = (skip: number, take: number): Array<Delivery> =>
      take <= 0
        ? []
        : tree.find(direction, skip, take).flatMap((stretch) => {
            if (corrections.has(stretch.block)) {
              const times = blocks.times(drawer, stretch.block)
              return walking(
                joined("AND", [inDrawer(drawer), between(times.first, times.last), met]),
                direction,
                stretch.take,
                stretch.skip
              )
            }
            return some(tree.passing(stretch.block), direction, stretch.skip, stretch.take)
          })

    const fromYoung = (skip: number, take: number): Array<Delivery> =>
      take <= 0 || skip >= outside ? [] : walking(young, direction, take, skip)

    const total = inTree + outside
    if (direction === "ASC") {
      const old = fromTree(offset, Math.min(limit, inTree - offset))
      return { total, rows: [...old, ...fromYoung(Math.max(0, offset - inTree), limit - old.length)] }
    }
    const rows = fromYoung(offset, limit)
    return { total, rows: [...rows, ...fromTree(Math.max(0, offset - outside), limit - rows.length)] }
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
    if (slice !== null) {
      const records = blocks.among(drawer, slice.statuses, counting(drawer, slice))
      const cells = cellsOf(drawer, slice, records, listing.sort.direction)
      const total = cells.reduce((sum, { n }) => sum + n, 0)
      return { total, rows: slice.inOrder ? walk(drawer, slice, records, cells, listing) : search(drawer, listing) }
    }
    const one = summarised(listing)
    return one === null
      ? { total: count(among(drawer, listing.where)), rows: search(drawer, listing) }
      : pick(drawer, one, listing)
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
    if (drawer === undefined) return 0
    return summarised(listing) === null ? (selectSize.get(drawer) ?? 0) : blocks.unsealed(drawer)
  }

  return { page, effort }
}

// The type says that it is one of the two; SQL must not depend on that.
const written = (direction: Direction): Direction => (direction === "ASC" ? "ASC" : "DESC")

const ordered = <A>(cells: ReadonlyArray<A>, direction: Direction): ReadonlyArray<A> =>
  direction === "ASC" ? cells : cells.toReversed()

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
