/**
 * Sealed records by the time they are listed at, and by their status.
 */
import type { Database } from "better-sqlite3"
import { WIDTH } from "@watchword/store-sql/Buckets"
import type { Sql } from "@watchword/store-sql/Conditions"
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
  /** About how many there are of any status, where the cell may be made of smaller ones. */
  readonly among?: number
  /** The block that they are in, where nothing has changed in that since. */
  readonly block?: Built
  /** Where its blocks are, once somebody has looked. */
  readonly reach?: Reach | null
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
  /** Those between two times. */
  readonly between: (times: Times) => Cell
  /** What a cell of them is made of: cells of hardly more records than a block has near a page, and what is around. */
  readonly divide: (cell: Cell, page: Places) => ReadonlyArray<Cell>
  /** What of a cell is listed at the times of a page, and where in that the page begins. */
  readonly narrow: (cell: Cell, page: Places) => { readonly cell: Cell; readonly from: number }
}

/** Records of a cell, counted from its first on. */
export interface Places {
  readonly from: number
  /** Behind the last one. */
  readonly to: number
}

type Times = Pick<Cell, "first" | "last">

/** A block, and how often it was built anew: its records when it was built are known by both. */
interface Built {
  readonly block: number
  readonly rebuilt: number
}

/** The blocks that lie between two times, the first of them perhaps in part. */
interface Reach extends Times {
  readonly begin: Built
  /** Its number, or that of a later one. */
  readonly from: number
  /** The first that does not. */
  readonly to: number
  /** It, when another part of it does. */
  readonly cut: Built | undefined
  /** Whether all between the times is in blocks. */
  readonly isSealed: boolean
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
  const selectFirst = db.prepare<[number, number], Built & { readonly last: number }>(
    "SELECT block, last, rebuilt FROM blocks WHERE drawer = +? AND last >= ? ORDER BY last LIMIT 1"
  )
  const selectBlocks = db
    .prepare<[number, number, number], readonly [block: number, last: number, n: number, rebuilt: number]>(
      "SELECT block, last, n, rebuilt FROM blocks WHERE drawer = +? AND block >= ? AND block < ? ORDER BY block"
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

  /** When each record of a block was listed that had one of some statuses, when the block was built. */
  const timesIn = (drawer: number, { block, rebuilt }: Built, statuses: Statuses): Float64Array => {
    const key = `${drawer} ${block} ${rebuilt} ${JSON.stringify(statuses)}`
    const known = remembered.get(key)
    if (known !== undefined) return known
    const read = readTimes(drawer, block, statuses)
    const [oldest] = remembered.keys()
    if (remembered.size === REMEMBERED && oldest !== undefined) remembered.delete(oldest)
    remembered.set(key, read)
    return read
  }

  const readTimes = (drawer: number, block: number, statuses: Statuses): Float64Array => {
    const all = Column.numbersOf(column(drawer, TIMES, block))
    if (statuses === null) return all
    const places = Column.placesIn(column(drawer, STATUSES, block), all.length, isOneOf(statuses))
    return Float64Array.from(places, (place) => all[place] ?? 0)
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
    const countPart = (built: Built, part: Times): number => {
      const { from, to } = placesBetween(timesIn(drawer, built, statuses), part)
      return to - from
    }

    /** How many records of a block are listed between two times, however it has changed. */
    const sizeOfPart = (built: Built, part: Times): number =>
      hasChanged(built) ? countChanged(times(drawer, built.block), part, count) : countPart(built, part)

    const hasChanged = ({ block }: Built): boolean => corrections().has(block)

    /** How many records some blocks have. */
    const sizeOfWholes = (from: number, to: number): number => {
      let n = sumOf(drawer, from, to, statuses, inStatus)
      for (const [block, change] of corrections()) if (from <= block && block < to) n += change
      return n
    }

    const between: Records["between"] = ({ first, last }) => {
      const reach = reachOf(drawer, { first, last })
      if (reach === null) return { first, last, n: count(first, last), reach }
      const { begin, cut, from, isSealed, to } = reach
      // Where the first block begins is not asked: mostly it is before, and a part that is all of it is right as well.
      let n = sizeOfPart(begin, { first, last }) + sizeOfWholes(from + 1, to)
      if (cut !== undefined && cut.block > from) n += sizeOfPart(cut, { first, last })
      if (!isSealed) n += count(extent(drawer).last + 1, last)
      return { first, last, n, reach }
    }

    const divide: Records["divide"] = (cell, page) => {
      const { first, last, n } = cell
      const whole: Cell = { first, last, n }
      const reach = cell.reach === undefined ? reachOf(drawer, cell) : cell.reach
      if (reach === null) return [whole]
      const near = nearTo(page, n, reach)
      const cells = wholesIn(near)
      const [begin, end] = [cells[0], cells.at(-1)]
      if (begin === undefined || end === undefined) return [whole]
      const isFirst = near.from === reach.from
      const before = isFirst ? 0 : sizeOfPart(reach.begin, { first, last }) + sizeOfWholes(reach.from + 1, near.from)
      const rest = (times: Times, size: number): Cell => ({ ...times, n: size, among: ((cell.among ?? 0) * size) / n })
      return [
        ...(isFirst ? [] : [rest({ first, last: begin.first - 1 }, before)]),
        ...cells,
        ...(end.last >= last ? [] : [rest({ first: end.last + 1, last }, n - before - sizeOf(cells))])
      ]
    }

    /** A cell for each block that ends there. */
    const wholesIn = ({ first, from, to }: Reach): ReadonlyArray<Cell> => {
      const counts = statuses && countsOf(drawer, from, to, inStatus)
      const found: Array<Cell> = []
      let begun = EVER
      for (const [block, last, n, rebuilt] of selectBlocks.all(drawer, from - 1, to)) {
        const built = { block, rebuilt }
        const size = counts === null ? n : (counts.get(block) ?? 0)
        // Only the first may have begun before.
        if (block >= from && begun < first) found.push(partOf(built, { first, last }))
        else if (block >= from)
          found.push(cellOf(built, { first: begun, last }, size + (corrections().get(block) ?? 0)))
        begun = last + 1
      }
      return found
    }

    /** What a block has between two times. */
    const partOf = (built: Built, part: Times): Cell => cellOf(built, part, sizeOfPart(built, part))

    const cellOf = (built: Built, { first, last }: Times, n: number): Cell =>
      hasChanged(built) ? { first, last, n } : { first, last, n, block: built }

    const narrow: Records["narrow"] = (cell, page) => {
      if (cell.block === undefined) return { cell, from: page.from }
      const times = timesIn(drawer, cell.block, statuses)
      const before = firstAtLeast(times, cell.first)
      const [first = cell.first, last = cell.last] = [times[before + page.from], times[before + page.to - 1]]
      const { from, to } = placesBetween(times, { first, last })
      return { cell: { first, last, n: to - from }, from: before + page.from - from }
    }

    return { between, divide, narrow }
  }

  /** The blocks that end between two times, and the one that ends later. */
  const reachOf = (drawer: number, { first, last }: Times): Reach | null => {
    const begin = selectFirst.get(drawer, first)
    if (begin === undefined) return null
    const end = begin.last >= last ? begin : selectFirst.get(drawer, last)
    const isWhole = end?.last === last
    const to = end === undefined ? extent(drawer).blocks : isWhole ? end.block + 1 : end.block
    return { first, last, begin, from: begin.block, to, cut: isWhole ? undefined : end, isSealed: end !== undefined }
  }

  return { extent, times, among, unsealed: (drawer) => selectUnsealed.get({ drawer }) ?? 0 }
}

const sizeOf = (cells: ReadonlyArray<Cell>): number => cells.reduce((sum, { n }) => sum + n, 0)

/** The blocks that some of so many records are probably in: a block has much the same number of them as another. */
const nearTo = (page: Places, n: number, reach: Reach): Reach => {
  const { from, to } = reach
  const blocks = to - from + 1
  const around = 1 + Math.ceil(blocks / 32)
  return {
    ...reach,
    from: Math.max(from, from + Math.floor((blocks * page.from) / n) - around),
    to: Math.min(to, from + Math.ceil((blocks * page.to) / n) + around)
  }
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
const placesBetween = (times: ArrayLike<number>, { first, last }: Times): Places => ({
  from: firstAtLeast(times, first),
  to: firstAtLeast(times, last + 1)
})

const firstAtLeast = (times: ArrayLike<number>, time: number): number => {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}
