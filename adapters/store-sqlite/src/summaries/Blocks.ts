/**
 * Sealed records by the time they are listed at, and by their status.
 */
import type { Database } from "better-sqlite3"
import { WIDTH } from "@watchword/store/sql/Buckets"
import type { Sql } from "@watchword/store/sqlite/Conditions"
import * as Statements from "../Statements.ts"
import * as Column from "./Column.ts"
import * as Corrections from "./Corrections.ts"
import { STATUSES, TIMES } from "./Fields.ts"
import { within } from "./Places.ts"
import { type Test, testOf } from "./Test.ts"

/** Records that are listed from a time to another, both included, and how many they are. */
export interface Cell {
  readonly first: number
  readonly last: number
  readonly n: number
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

/** The times of so many blocks are remembered, some KB each. */
const REMEMBERED = 64

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
  const selectRebuilt = db
    .prepare<[number, number], number>("SELECT rebuilt FROM blocks WHERE drawer = ? AND block = ?")
    .pluck()
  /** Times of blocks as they were built: whoever turns pages cuts the same ones again. */
  const remembered = new Map<string, Float64Array>()
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

  /** When each record of a block is listed. */
  const timesIn = (drawer: number, block: number): Float64Array => {
    const key = `${drawer} ${block} ${selectRebuilt.get(drawer, block)}`
    const known = remembered.get(key)
    if (known !== undefined) return known
    const read = Column.numbersOf(column(drawer, TIMES, block))
    const [oldest] = remembered.keys()
    if (remembered.size === REMEMBERED && oldest !== undefined) remembered.delete(oldest)
    remembered.set(key, read)
    return read
  }

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

  const among: Blocks["among"] = (drawer, statuses, count) => {
    const inStatus = isAmong(statuses)
    let known: Corrections.Corrections | null = null
    const corrections = (): Corrections.Corrections => (known ??= corrected(drawer, inStatus))

    /** How many records of a block are listed between two times. */
    const countPart = (block: number, times: Times): number => {
      const [from, to] = placesBetween(timesIn(drawer, block), times)
      if (statuses === null || from === to) return to - from
      const places = Column.placesIn(column(drawer, STATUSES, block), to, isOneOf(statuses))
      return places.filter((place) => from <= place && place < to).length
    }

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
          : countPart(block, { first, last })
      }
      return isSealed ? n : n + count(Math.max(first, extent(drawer).last + 1), last)
    }

    const divide: Records["divide"] = (cell, { end, records }) => {
      const reach = reachOf(drawer, cell)
      if (reach === null) return [{ first: cell.first, last: cell.last, n: cell.n }]
      const { from, isSealed, to } = reach
      const blocks = Math.ceil(((1.25 * records) / cell.n) * (to - from + 1)) + 1
      if (end === "last" && isSealed && to - blocks > from) {
        const { first } = times(drawer, to - blocks)
        const near = wholesIn({ ...reach, from: to - blocks, first })
        const found = [...near, ...tailOf(reach, endOf(near, first), null)]
        return [{ first: cell.first, last: first - 1, n: cell.n - sizeOf(found) }, ...found]
      }
      if (end === "first" && from + blocks < to) {
        const found = wholesIn({ ...reach, to: from + blocks })
        const next = endOf(found, cell.first)
        return [...found, { first: next, last: cell.last, n: cell.n - sizeOf(found) }]
      }
      const found = wholesIn(reach)
      return [...found, ...tailOf(reach, endOf(found, cell.first), cell.n - sizeOf(found))]
    }

    /** A cell for each block that ends there. */
    const wholesIn = ({ first, from, to }: Reach): ReadonlyArray<Cell> => {
      const counts = statuses && countsOf(drawer, from, to, inStatus)
      const found: Array<Cell> = []
      let begun = EVER
      for (const [block, last, n] of selectBlocks.all(drawer, from - 1, to)) {
        const built = counts === null ? n : (counts.get(block) ?? 0)
        // Only the first may have begun before.
        if (block >= from && begun < first) found.push({ first, last, n: sizeOfPart(block, { first, last }) })
        else if (block >= from) found.push({ first: begun, last, n: built + (corrections().get(block) ?? 0) })
        begun = last + 1
      }
      return found
    }

    /** How many records of a block are listed between two times, however it has changed. */
    const sizeOfPart = (block: number, times: Times): number =>
      corrections().has(block) ? count(times.first, times.last) : countPart(block, times)

    /** What is behind the blocks that end there: a part of the next, or what is not sealed. */
    const tailOf = ({ cut, last }: Reach, first: number, n: number | null): ReadonlyArray<Cell> => {
      if (cut === undefined && first > last) return []
      const counted = (): number => (cut === undefined ? count(first, last) : sizeOfPart(cut, { first, last }))
      return [{ first, last, n: n ?? counted() }]
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

const sizeOf = (cells: ReadonlyArray<Cell>): number => cells.reduce((sum, { n }) => sum + n, 0)

/** Where what is behind cells begins. */
const endOf = (cells: ReadonlyArray<Cell>, first: number): number => {
  const last = cells.at(-1)
  return last === undefined ? first : last.last + 1
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
