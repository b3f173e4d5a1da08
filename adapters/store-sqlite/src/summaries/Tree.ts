/**
 * Counts and finds sealed records by what they have in one field, without looking at those that have something else:
 * from the tops of the tree of summaries down to the blocks that a page lies in.
 */
import type { Listing } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"
import * as Column from "./Column.ts"
import type { Corrections } from "./Corrections.ts"
import { ROWS } from "./Fields.ts"
import { type Range, childrenOf, rootsOf, slotWithin, within } from "./Places.ts"
import type { Shape } from "./Shape.ts"
import type { Test } from "./Test.ts"
import * as Trace from "./Trace.ts"

export interface Question {
  readonly drawer: number
  /** How many blocks there are. */
  readonly blocks: number
  /** The number of the field that is tested. */
  readonly field: number
  readonly test: Test
  /** For blocks that are not as they were built. */
  readonly corrections: Corrections
}

/** Some of the records of a block that pass, counted from the end that the list begins at. */
export interface Stretch {
  readonly block: number
  readonly skip: number
  readonly take: number
}

export interface Tree {
  readonly total: () => number
  /** Where a page of the records that pass lies. */
  readonly find: (direction: Listing["sort"]["direction"], skip: number, take: number) => ReadonlyArray<Stretch>
  /** The numbers of all records of a block that passed when it was built, oldest first. */
  readonly passing: (block: number) => ReadonlyArray<number>
}

export const make = (db: Database, { fan }: Pick<Shape, "fan">): ((question: Question) => Tree) => {
  const selectColumns = db
    .prepare<[number, number, number, number], readonly [number, string | null, string | null, string | null]>(
      `SELECT place & 0xfffffff, tally, texts, span FROM summaries
       WHERE place >= (? << 36 | ?) AND place < (? << 36 | ?) ORDER BY place`
    )
    .raw()
  const selectColumn = db.prepare<[number, number], Column.Column>(
    "SELECT tally, texts, span, data FROM summaries WHERE place = (? << 36 | ?)"
  )
  const selectSlot = db.prepare<[number, number], Buffer>("SELECT data FROM traces WHERE place = (? << 36 | ?)").pluck()

  return ({ blocks, corrections, drawer, field, test }) => {
    const known = new Map<string, ReadonlyArray<number>>()
    const places = new Map<number, ReadonlyArray<number>>()

    /** How many records pass, for each node of a range. */
    const countsOf = (range: Range): ReadonlyArray<number> => {
      const counts = [...builtOf(range)]
      for (const [block, change] of corrections) {
        const index = Math.floor(block / fan ** range.level) - range.from
        if (index in counts) counts[index] = (counts[index] ?? 0) + change
      }
      return counts
    }

    /** How many records passed when the nodes were built. */
    const builtOf = (range: Range): ReadonlyArray<number> => {
      const key = `${range.level} ${range.from}`
      const remembered = known.get(key)
      if (remembered !== undefined) return remembered
      const counts = range.level === 0 ? countBlocks(range) : countNodes(range)
      known.set(key, counts)
      return counts
    }

    const countBlocks = (range: Range): ReadonlyArray<number> => {
      const { from, to } = range
      const among = candidates(from, to)
      const counts = Array.from({ length: to - from }, () => 0)
      if (among === null) {
        for (const [block, column] of columnsIn(range)) {
          counts[block - from] = Column.countAtFirstSight(column, test) ?? Column.countInBlock(columnAt(0, block), test)
        }
      } else {
        for (const block of among) counts[block - from] = placesIn(block).length
      }
      return counts
    }

    const countNodes = (range: Range): ReadonlyArray<number> => {
      const columns = columnsIn(range)
      return Array.from({ length: range.to - range.from }, (_, index) => {
        const node = range.from + index
        const column = columns.get(node) ?? Column.NOTHING
        const count =
          Column.countAtFirstSight(column, test) ??
          (column.span === null ? null : Column.countInAll(columnAt(range.level, node), test))
        return count ?? sum(builtOf(childrenOf(range.level, node, fan)))
      })
    }

    const columnAt = (level: number, node: number): Column.Column =>
      selectColumn.get(drawer, within(field, level, node)) ?? Column.NOTHING

    const columnsIn = ({ from, level, to }: Range): ReadonlyMap<number, Column.Column> =>
      new Map(
        selectColumns
          .all(drawer, within(field, level, from), drawer, within(field, level, to))
          .map(([node, tally, texts, span]) => [node, { tally, texts, span, data: null }])
      )

    /** The blocks of a node that may have what is looked for, where a trace says it. */
    const candidates = (from: number, to: number): ReadonlySet<number> | null => {
      const node = from / fan
      if (to - from !== fan || !Number.isInteger(node) || test.named === null) return null
      const found = new Set<number>()
      for (const value of test.named) {
        const slot = selectSlot.get(drawer, slotWithin(field, node, Trace.slotOf(value)))
        if (slot === undefined) return null
        for (const block of Trace.blocksIn(slot, value)) found.add(from + block)
      }
      return found
    }

    const total = (): number => rootsOf(blocks, fan).reduce((all, range) => all + sum(countsOf(range)), 0)

    const find: Tree["find"] = (direction, skip, take) => {
      const found: Array<Stretch> = []
      let before = skip
      let wanted = take
      const visit = (range: Range): void => {
        const counts = countsOf(range)
        for (let step = 0; step < counts.length && wanted > 0; step++) {
          const index = direction === "ASC" ? step : counts.length - 1 - step
          const count = counts[index] ?? 0
          if (before >= count) before -= count
          else if (range.level > 0) visit(childrenOf(range.level, range.from + index, fan))
          else {
            const some = Math.min(wanted, count - before)
            found.push({ block: range.from + index, skip: before, take: some })
            wanted -= some
            before = 0
          }
        }
      }
      const roots = rootsOf(blocks, fan)
      for (const range of direction === "ASC" ? roots : roots.toReversed()) visit(range)
      return found
    }

    const rowsOf = (block: number): Float64Array =>
      Column.numbersOf(selectColumn.get(drawer, within(ROWS, 0, block)) ?? Column.NOTHING)

    /** The places of the records of a block that passed when it was built. */
    const placesIn = (block: number): ReadonlyArray<number> => {
      const found = places.get(block) ?? Column.placesIn(columnAt(0, block), rowsOf(block).length, test)
      places.set(block, found)
      return found
    }

    const passing: Tree["passing"] = (block) => {
      const rows = rowsOf(block)
      return placesIn(block).map((place) => rows[place] ?? 0)
    }

    return { total, find, passing }
  }
}

const sum = (counts: ReadonlyArray<number>): number => counts.reduce((all, count) => all + count, 0)
