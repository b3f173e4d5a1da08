/**
 * Summarises records that have been there for a while, in steps that keep others from writing for a few
 * milliseconds each. What a step writes is consistent with the records at the time of its transaction, so it
 * may stop, or be killed, between any two; and several processes may do it at once.
 */
import type { Database } from "better-sqlite3"
import * as Blocks from "./Blocks.ts"
import * as Column from "./Column.ts"
import { ROWS, STATUSES, TIMES, type Summarised, fieldsOf } from "./Fields.ts"
import { type Range, TOP, childrenOf, slotWithin, within } from "./Places.ts"
import { COLUMNS, type Reading, read } from "./Reading.ts"
import type { Shape } from "./Shape.ts"
import * as Trace from "./Trace.ts"
import { bucketOf, lastOf } from "@watchword/store-sql/Buckets"
import { channelIn } from "@watchword/store-sql/Partitions"

export interface Summariser {
  /** Does the next piece of what there is to do in a drawer; false when that was nothing. */
  readonly step: (drawer: number, now: number) => boolean
  /** Whether there will be more to do in a drawer, once its records have been there for a while. */
  readonly waits: (drawer: number) => boolean
  /** All drawers. */
  readonly drawers: () => ReadonlyArray<number>
}

type Stamp = readonly [blocks: number, rebuilt: number]

export const make = (db: Database, shape: Shape): Summariser => {
  const selectDrawers = db.prepare<[], number>("SELECT DISTINCT drawer FROM counts").pluck()
  const selectOldest = db
    .prepare<[number, number, number, number], Reading>(
      `SELECT ${COLUMNS} FROM deliveries WHERE drawer = +? AND listed_at > ? AND listed_at <= ?
       ORDER BY listed_at, id LIMIT +?`
    )
    .raw()
  const selectBetween = db
    .prepare<[number, number, number], Reading>(
      `SELECT ${COLUMNS} FROM deliveries WHERE drawer = +? AND listed_at BETWEEN ? AND ?
       ORDER BY listed_at, id`
    )
    .raw()
  const insertBlock = db.prepare("INSERT INTO blocks (drawer, block, last, n, rebuilt) VALUES (?, ?, ?, ?, 0)")
  const updateBlock = db.prepare("UPDATE blocks SET n = ?, rebuilt = rebuilt + 1 WHERE drawer = ? AND block = ?")
  const insertCount = db.prepare("INSERT INTO block_counts (drawer, block, status, n) VALUES (?, ?, ?, ?)")
  const deleteCounts = db.prepare("DELETE FROM block_counts WHERE drawer = ? AND status = ? AND block = ?")
  const upsertColumn = db.prepare(
    "INSERT OR REPLACE INTO summaries (place, tally, texts, span, data) VALUES (? << 36 | ?, ?, ?, ?, ?)"
  )
  const deleteColumn = db.prepare("DELETE FROM summaries WHERE place = (? << 36 | ?)")
  const selectColumns = db.prepare<[number, number, number, number], Column.Column>(
    "SELECT tally, texts, span, data FROM summaries WHERE place >= (? << 36 | ?) AND place < (? << 36 | ?) ORDER BY place"
  )
  const selectNodes = db
    .prepare<[number, number, number, number], number>(
      "SELECT place & 0xfffffff FROM summaries WHERE place >= (? << 36 | ?) AND place < (? << 36 | ?) ORDER BY place"
    )
    .pluck()
  const upsertSlot = db.prepare("INSERT OR REPLACE INTO traces (place, data) VALUES (? << 36 | ?, ?)")
  const selectSlot = db.prepare<[number, number], number>("SELECT 1 FROM traces WHERE place = (? << 36 | ?)").pluck()
  const deleteSlots = db.prepare("DELETE FROM traces WHERE place >= (? << 36 | ?) AND place < (? << 36 | ?)")
  const countChanges = db
    .prepare<[{ drawer: number }], number>(
      `SELECT (SELECT count(*) FROM retired WHERE drawer = @drawer) + (SELECT count(*) FROM loose WHERE drawer = @drawer)`
    )
    .pluck()
  const selectMostChanged = db
    .prepare<[{ drawer: number }], number>(
      `SELECT block FROM (
         SELECT block FROM retired WHERE drawer = @drawer
         UNION ALL
         SELECT (SELECT b.block FROM blocks b WHERE b.drawer = d.drawer AND b.last >= d.listed_at ORDER BY b.last LIMIT 1)
         FROM loose l CROSS JOIN deliveries d ON d.n = l.n WHERE l.drawer = @drawer
       ) GROUP BY block ORDER BY count(*) DESC LIMIT 1`
    )
    .pluck()
  const deleteRetired = db.prepare("DELETE FROM retired WHERE drawer = ? AND block = ?")
  const deleteLoose = db.prepare("DELETE FROM loose WHERE drawer = ? AND n = ?")
  const selectStamp = db
    .prepare<[number, number, number], Stamp>(
      "SELECT count(*), total(rebuilt) FROM blocks WHERE drawer = ? AND block >= ? AND block < ?"
    )
    .raw()

  const blocks = Blocks.make(db)
  /** Drawers whose blocks are being built anew. */
  const tidied = new Set<number>()
  /** Drawers whose records are being sealed, and how many blocks may be before anybody counts again. */
  const sealed = new Map<number, number>()

  const columnsOf = (drawer: number, field: number, { from, level, to }: Range): ReadonlyArray<Column.Column> =>
    selectColumns.all(drawer, within(field, level, from), drawer, within(field, level, to))

  const fieldsIn = (drawer: number): ReadonlyArray<Summarised> => fieldsOf(channelIn(drawer))

  const put = (drawer: number, field: number, level: number, node: number, column: Column.Column): void => {
    const { data, span, tally, texts } = column
    upsertColumn.run(drawer, within(field, level, node), tally, texts, span, data)
  }

  /** Writes what a block has. */
  const write = (drawer: number, block: number, rows: ReadonlyArray<Reading>): void => {
    const { numbers, times, valuesOf } = read(rows)
    const statuses = valuesOf("status")
    for (const [status, n] of tallied(statuses)) insertCount.run(drawer, block, status, n)
    put(drawer, ROWS, 0, block, Column.ofNumbers(numbers))
    put(drawer, TIMES, 0, block, Column.ofNumbers(times))
    put(drawer, STATUSES, 0, block, Column.ofValues(statuses, shape))
    for (const { field, number } of fieldsIn(drawer))
      put(drawer, number, 0, block, Column.ofValues(valuesOf(field), shape))
  }

  /** The oldest records that are not sealed, as many as make a block; all that are listed at the same time. */
  const nextRows = (drawer: number, after: number, until: number): ReadonlyArray<Reading> => {
    const rows = selectOldest.all(drawer, after, until, shape.rows + 1)
    const beyond = rows[shape.rows]
    if (beyond === undefined) return []
    const [, time] = beyond
    const earlier = rows.filter(([, at]) => at < time)
    return earlier.length > 0 ? earlier : selectBetween.all(drawer, time, time)
  }

  const seal = db.transaction((drawer: number, now: number): boolean => {
    const { blocks: block, last: after } = blocks.extent(drawer)
    const { last, rows } = cutAtBucket(nextRows(drawer, after, now - shape.settled), after)
    if (last === undefined) return false
    insertBlock.run(drawer, block, last, rows.length)
    write(drawer, block, rows)
    return true
  })

  /** Eight hours that have blocks of their own end with one: so their blocks are counted, and no parts of blocks. */
  const cutAtBucket = (rows: ReadonlyArray<Reading>, after: number) => {
    const bucket = bucketOf(after)
    const inBucket = rows.filter(([, time]) => bucketOf(time) === bucket)
    return inBucket.length === 0 || inBucket.length === rows.length
      ? { rows, last: rows.at(-1)?.[1] }
      : { rows: inBucket, last: lastOf(bucket) }
  }

  /** How many blocks the records make that are not sealed, as far as those are too many. */
  const toSeal = (drawer: number): number => {
    const unsealed = blocks.unsealed(drawer)
    const enough = sealed.has(drawer) ? shape.fewest : shape.most
    return unsealed > enough ? Math.floor((unsealed - shape.fewest) / shape.rows) : 0
  }

  const sealSome = (drawer: number, now: number): boolean => {
    const left = sealed.get(drawer) || toSeal(drawer)
    const done = left > 0 && seal.immediate(drawer, now)
    if (done) sealed.set(drawer, left - 1)
    else sealed.delete(drawer)
    return done
  }

  const rebuild = db.transaction((drawer: number): boolean => {
    const block = selectMostChanged.get({ drawer })
    if (block === undefined) return false
    const node = Math.floor(block / shape.fan)
    const traced = fieldsIn(drawer).filter((field) => isTraced(drawer, field, node))
    const before = traced.map((field) => ({ field, values: new Set(valuesIn(drawer, field.number, block)) }))
    const { first, last } = blocks.times(drawer, block)
    const rows = selectBetween.all(drawer, first, last)
    for (const status of valuesIn(drawer, STATUSES, block)) deleteCounts.run(drawer, status, block)
    write(drawer, block, rows)
    deleteRetired.run(drawer, block)
    for (const [n] of rows) deleteLoose.run(drawer, n)
    updateBlock.run(rows.length, drawer, block)
    for (const { field, values } of before) {
      if (valuesIn(drawer, field.number, block).some((value) => !values.has(value))) forgetTrace(drawer, field, node)
    }
    forgetNodes(drawer, block)
    return true
  })

  const valuesIn = (drawer: number, field: number, block: number) =>
    columnsOf(drawer, field, { level: 0, from: block, to: block + 1 }).flatMap(Column.valuesOf)

  const isTraced = (drawer: number, { number }: Summarised, node: number): boolean =>
    selectSlot.get(drawer, slotWithin(number, node, 0)) !== undefined

  const forgetTrace = (drawer: number, { number }: Summarised, node: number): void => {
    deleteSlots.run(drawer, slotWithin(number, node, 0), drawer, slotWithin(number, node + 1, 0))
  }

  const forgetNodes = (drawer: number, block: number): void => {
    for (let level = 1; level <= TOP; level++) {
      const node = Math.floor(block / shape.fan ** level)
      for (const { number } of [{ number: ROWS }, ...fieldsIn(drawer)])
        deleteColumn.run(drawer, within(number, level, node))
    }
  }

  const tidy = (drawer: number): boolean => {
    const changes = countChanges.get({ drawer }) ?? 0
    if (changes > shape.changes) tidied.add(drawer)
    if (changes <= shape.changes / 4) tidied.delete(drawer)
    return tidied.has(drawer) && rebuild.immediate(drawer)
  }

  /** A node whose blocks are all there, and that is not. */
  const missing = (drawer: number): { readonly level: number; readonly node: number } | undefined => {
    const { blocks: sealed } = blocks.extent(drawer)
    for (let level = 1; level <= TOP; level++) {
      const expected = Math.floor(sealed / shape.fan ** level)
      const nodes = selectNodes.all(drawer, within(ROWS, level, 0), drawer, within(ROWS, level, expected))
      if (nodes.length === expected) continue
      const gap = nodes.findIndex((node, index) => node !== index)
      return { level, node: gap === -1 ? nodes.length : gap }
    }
    return undefined
  }

  const stampOf = (drawer: number, level: number, node: number): string => {
    const size = shape.fan ** level
    return String(selectStamp.get(drawer, node * size, (node + 1) * size))
  }

  // Computed before others are kept from writing.
  const compute = db.transaction((drawer: number, level: number, node: number) => {
    const children = childrenOf(level, node, shape.fan)
    const built = fieldsIn(drawer).map((field) => {
      const { number } = field
      const columns = columnsOf(drawer, number, children)
      const column = Column.merged(columns, level === 1 ? "blocks" : "several", shape)
      const untraced = level === 1 && Column.isNothing(column) && !isTraced(drawer, field, node)
      return { number, column, trace: untraced ? Trace.ofBlocks(columns.map(Column.valuesOf)) : [] }
    })
    return { built, stamp: stampOf(drawer, level, node) }
  })

  const store = db.transaction((drawer: number, level: number, node: number, computed: ReturnType<typeof compute>) => {
    // Another process may have built a block anew meanwhile.
    if (stampOf(drawer, level, node) !== computed.stamp) return
    put(drawer, ROWS, level, node, Column.NOTHING)
    for (const { column, number, trace } of computed.built) {
      put(drawer, number, level, node, column)
      for (const [slot, data] of trace.entries()) upsertSlot.run(drawer, slotWithin(number, node, slot), data)
    }
  })

  const build = (drawer: number): boolean => {
    const next = missing(drawer)
    if (next === undefined) return false
    const { level, node } = next
    store.immediate(drawer, level, node, compute(drawer, level, node))
    return true
  }

  return {
    step: (drawer, now) => tidy(drawer) || build(drawer) || sealSome(drawer, now),
    waits: (drawer) => blocks.unsealed(drawer) > shape.most,
    drawers: () => selectDrawers.all()
  }
}

const tallied = <A>(values: ReadonlyArray<A>): ReadonlyMap<A, number> => {
  const counts = new Map<A, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
