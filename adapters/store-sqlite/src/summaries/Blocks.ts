/**
 * Sealed records by the time they are listed at, and by their status.
 */
import type { Database } from "better-sqlite3"
import { WIDTH } from "@watchword/store/sql/Buckets"
import type { Sql } from "@watchword/store/sqlite/Conditions"
import * as Statements from "../Statements.ts"
import * as Column from "./Column.ts"
import * as Corrections from "./Corrections.ts"
import { ROWS, STATUSES, TIMES } from "./Fields.ts"
import { within } from "./Places.ts"
import { type Test, testOf } from "./Test.ts"

/** Records that are listed from a time to another, both included, and how many they are. */
export interface Cell {
  readonly first: number
  readonly last: number
  readonly n: number
  /** Their numbers, oldest first, where a block has them. */
  readonly numbers: (() => ArrayLike<number>) | null
}

export interface Blocks {
  /** How many blocks a drawer has, and until when all is in them. */
  readonly extent: (drawer: number) => { readonly blocks: number; readonly last: number }
  /** When records of a block are listed. */
  readonly times: (drawer: number, block: number) => Times
  /** The records of a drawer that have one of some statuses, or any for null, for one look at them. */
  readonly among: (drawer: number, statuses: Statuses, count: Count) => Records
  /** How many records are not in blocks; a few more perhaps. */
  readonly unsealed: (drawer: number) => number
}

export interface Records {
  /** How many there are between two times. */
  readonly count: (times: Times) => number
  /**
   * What a cell of them is made of, of which only so many from one end are of interest: there, cells of hardly more
   * records than a block has, and the rest in one.
   */
  readonly divide: (cell: Cell, near: Near) => ReadonlyArray<Cell>
}

type Times = Pick<Cell, "first" | "last">

/** The blocks that lie between two times, the first of them perhaps in part. */
interface Reach extends Times {
  readonly from: number
  /** The first that does not. */
  readonly to: number
  /** It, when another part of it does. */
  readonly cut: number | undefined
  /** Whether all between the times is in blocks. */
  readonly isSealed: boolean
}

interface Near {
  readonly end: "first" | "last"
  readonly records: number
}

type Statuses = ReadonlyArray<string> | null

/** Counts such records one by one that are listed between two times. */
export type Count = (first: number, last: number) => number

/** Before all times. */
const EVER = Number.MIN_SAFE_INTEGER

export const make = (db: Database): Blocks => {
  const selectExtent = db
    .prepare<[number], readonly [block: number, last: number]>(
      "SELECT block, last FROM blocks WHERE drawer = +? ORDER BY block DESC LIMIT 1"
    )
    .raw()
  const selectTimes = db
    .prepare<[number, number], number>(
      "SELECT last FROM blocks WHERE drawer = +? AND block <= ? ORDER BY block DESC LIMIT 2"
    )
    .pluck()
  const selectFirst = db
    .prepare<[number, number], readonly [block: number, last: number]>(
      "SELECT block, last FROM blocks WHERE drawer = +? AND last >= ? ORDER BY last LIMIT 1"
    )
    .raw()
  const selectBlocks = db
    .prepare<[number, number, number], readonly [block: number, last: number, n: number]>(
      "SELECT block, last, n FROM blocks WHERE drawer = +? AND block >= ? AND block < ? ORDER BY block"
    )
    .raw()
  const selectColumn = db.prepare<[number, number], Column.Column>(
    "SELECT tally, texts, span, data FROM summaries WHERE place = (? << 36 | ?)"
  )
  const selectUnsealed = db
    .prepare<[{ drawer: number }], number>(
      `WITH sealed AS (
         SELECT bucket, (SELECT min(block) FROM blocks WHERE drawer = @drawer AND last >= bucket * ${WIDTH}) AS block
         FROM (SELECT coalesce(max(last), ${EVER}) / ${WIDTH} AS bucket FROM blocks WHERE drawer = @drawer)
       )
       SELECT coalesce((SELECT sum(n) FROM counts WHERE drawer = @drawer AND bucket >= (SELECT bucket FROM sealed)), 0)
         - coalesce((SELECT sum(n) FROM blocks WHERE drawer = @drawer AND block > (SELECT block FROM sealed)), 0)`
    )
    .pluck()
  const summing = Statements.remembering<readonly [n: number | null]>(db)
  const reading = Statements.remembering<readonly [block: number, n: number]>(db)
  const corrected = Corrections.make(db)

  const extent: Blocks["extent"] = (drawer) => {
    const [block, last] = selectExtent.get(drawer) ?? [-1, EVER]
    return { blocks: block + 1, last }
  }

  const times: Blocks["times"] = (drawer, block) => {
    const [last = EVER, before] = selectTimes.all(drawer, block)
    return { first: before === undefined ? EVER : before + 1, last }
  }

  const column = (drawer: number, field: number, block: number): Column.Column =>
    selectColumn.get(drawer, within(field, 0, block)) ?? Column.NOTHING

  /** How many records of each block from one on, before another, have one of some statuses. */
  const countsOf = (drawer: number, from: number, to: number, inStatus: Sql): ReadonlyMap<number, number> => {
    const counting = reading(
      `SELECT block, n FROM block_counts WHERE drawer = ? AND block >= ? AND block < ? AND ${inStatus.text}`
    )
    const counts = new Map<number, number>()
    for (const [block, n] of counting.all(drawer, from, to, ...inStatus.values)) {
      counts.set(block, (counts.get(block) ?? 0) + n)
    }
    return counts
  }

  /** How many records all those blocks have. */
  const sumOf = (drawer: number, from: number, to: number, statuses: Statuses, inStatus: Sql): number => {
    const sums = summing(
      `SELECT sum(n) FROM ${statuses === null ? "blocks" : "block_counts"}
       WHERE drawer = ? AND block >= ? AND block < ? AND ${inStatus.text}`
    )
    const [n] = sums.get(drawer, from, to, ...inStatus.values) ?? [0]
    return n ?? 0
  }

  /** The places of records of a block: of those between two times, or of all. */
  const reach = (drawer: number, block: number, times: Times): readonly [from: number, to: number] =>
    placesBetween(Column.numbersOf(column(drawer, TIMES, block)), times)

  const placesWith = (drawer: number, block: number, size: number, statuses: ReadonlyArray<string>) =>
    Column.placesIn(column(drawer, STATUSES, block), size, isOneOf(statuses))

  /** How many records of a block are listed between two times. */
  const countPart = (drawer: number, block: number, times: Times, statuses: Statuses): number => {
    const [from, to] = reach(drawer, block, times)
    if (statuses === null || from === to) return to - from
    return placesWith(drawer, block, to, statuses).filter((place) => from <= place && place < to).length
  }

  /** The numbers of records of a block. */
  const numbersIn = (drawer: number, block: number, times: Times | null, statuses: Statuses): ArrayLike<number> => {
    const rows = Column.numbersOf(column(drawer, ROWS, block))
    const [from, to] = times === null ? [0, rows.length] : reach(drawer, block, times)
    if (statuses === null) return rows.subarray(from, to)
    const places = placesWith(drawer, block, rows.length, statuses)
    const within = times === null ? places : places.filter((place) => from <= place && place < to)
    return within.map((place) => rows[place] ?? 0)
  }

  const among: Blocks["among"] = (drawer, statuses, count) => {
    const inStatus = isAmong(statuses)
    let known: Corrections.Corrections | null = null
    const corrections = (): Corrections.Corrections => (known ??= corrected(drawer, inStatus))

    const countBetween: Records["count"] = ({ first, last }) => {
      const reach = reachOf(drawer, { first, last })
      if (reach === null) return count(first, last)
      const { cut, from, isSealed, to } = reach
      const changes = corrections()
      // Where the first block begins is not asked: mostly it is before, and a part that is all of it is right as well.
      let n = sumOf(drawer, from + 1, to, statuses, inStatus)
      for (const [block, change] of changes) if (from < block && block < to) n += change
      for (const block of new Set([from, cut ?? from])) {
        n += changes.has(block)
          ? countChanged(times(drawer, block), { first, last }, count)
          : countPart(drawer, block, { first, last }, statuses)
      }
      return isSealed ? n : n + count(Math.max(first, extent(drawer).last + 1), last)
    }

    const unsealed = (first: number, last: number): Cell => ({ first, last, n: count(first, last), numbers: null })

    const divide: Records["divide"] = (cell, { end, records }) => {
      const reach = reachOf(drawer, cell)
      if (reach === null) return [unsealed(cell.first, cell.last)]
      const { from, isSealed, to } = reach
      const blocks = Math.ceil(((1.25 * records) / cell.n) * (to - from + 1)) + 1
      const rest = (found: ReadonlyArray<Cell>): number => cell.n - found.reduce((sum, { n }) => sum + n, 0)
      if (end === "first" && from + blocks < to) {
        const { last } = times(drawer, from + blocks - 1)
        const found = cellsIn({ ...reach, to: from + blocks, cut: undefined, last })
        return [...found, { first: last + 1, last: cell.last, n: rest(found), numbers: null }]
      }
      if (end === "last" && isSealed && to - blocks > from) {
        const { first } = times(drawer, to - blocks)
        const found = cellsIn({ ...reach, from: to - blocks, first })
        return [{ first: cell.first, last: first - 1, n: rest(found), numbers: null }, ...found]
      }
      return cellsIn(reach)
    }

    /** A cell for each block, and one for a part of the next or what is not sealed. */
    const cellsIn = ({ cut, first, from, last, to }: Reach): ReadonlyArray<Cell> => {
      const counts = statuses && countsOf(drawer, from, to, inStatus)
      const found: Array<Cell> = []
      let next = first

      /** A block until a time, which had so many when it was built; with null, a part of one. */
      const add = (block: number, until: number, built: number | null): void => {
        const times = { first: next, last: until }
        const correction = corrections().get(block)
        const part = built === null ? times : null
        const numbers = correction === undefined ? () => numbersIn(drawer, block, part, statuses) : null
        const n =
          built !== null
            ? built + (correction ?? 0)
            : correction === undefined
              ? countPart(drawer, block, times, statuses)
              : count(next, until)
        found.push({ ...times, n, numbers })
        next = until + 1
      }

      let begun = EVER
      for (const [block, end, built] of selectBlocks.all(drawer, from - 1, to)) {
        const isWhole = begun >= first
        if (block >= from) add(block, end, isWhole ? (counts === null ? built : (counts.get(block) ?? 0)) : null)
        begun = end + 1
      }
      if (cut !== undefined) add(cut, last, null)
      else if (next <= last) found.push(unsealed(next, last))
      return found
    }

    return { count: countBetween, divide }
  }

  /** The blocks that end between two times, and the one that ends later. */
  const reachOf = (drawer: number, { first, last }: Times): Reach | null => {
    const from = selectFirst.get(drawer, first)
    if (from === undefined) return null
    const end = selectFirst.get(drawer, last)
    const isWhole = end?.[1] === last
    const to = end === undefined ? extent(drawer).blocks : isWhole ? end[0] + 1 : end[0]
    return { first, last, from: from[0], to, cut: isWhole ? undefined : end?.[0], isSealed: end !== undefined }
  }

  return { extent, times, among, unsealed: (drawer) => selectUnsealed.get({ drawer }) ?? 0 }
}

/** What is between two times of what a block has between its own. */
const countChanged = (block: Times, { first, last }: Times, count: Count): number =>
  count(Math.max(first, block.first), Math.min(last, block.last))

const isAmong = (statuses: Statuses): Sql =>
  statuses === null
    ? { text: "TRUE", values: [] }
    : { text: `status IN (${statuses.map(() => "?").join(", ")})`, values: statuses }

const isOneOf = (statuses: ReadonlyArray<string>): Test => testOf({ _tag: "In", field: "status", values: statuses })

/** The places of times between two, in an array of times in their order. */
const placesBetween = (times: ArrayLike<number>, { first, last }: Times): readonly [from: number, to: number] => [
  firstAtLeast(times, first),
  firstAtLeast(times, last + 1)
]

const firstAtLeast = (times: ArrayLike<number>, time: number): number => {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}
