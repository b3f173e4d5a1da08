/**
 * Takes rows into a table whose keys come in no order.
 *
 * Each would be written to a page of its own, first into SQLite's log and later into the file: for fifty bytes, most of
 * what a send costs. So a row is appended to a log that the table has for this, and its key is remembered. When there
 * are many, a few rows go into the table with each transaction, in the order of their keys, so that many of them share
 * a page. What is remembered is newer than what the table has.
 *
 * Other processes do the same with the same log, and find each other's rows there.
 */
import type { Database } from "better-sqlite3"
import { Order, type Place } from "./Order.ts"
import * as Rows from "./Rows.ts"
import { Seqs } from "./Seqs.ts"

export interface Shape {
  /** So many rows are gathered before they go on. */
  readonly most: number
  /** At least so many go on in a transaction, if any. */
  readonly some: number
}

/** A few MB of keys, and a moment to read them when the file is opened. */
export const SHAPE: Shape = { most: 32_768, some: 64 }

/** The most rows that one transaction brings on: few milliseconds. */
const AT_ONCE = 1_024

type Key<First extends Rows.Value, Second extends Rows.Value> = readonly [First, Second]

export interface Table<First extends Rows.Value, Second extends Rows.Value> {
  readonly name: string
  /** All columns, the two of the primary key first. */
  readonly columns: readonly [string, string, ...ReadonlyArray<string>]
  /** 32 bits, for other keys mostly others. */
  readonly hashOf: (first: First, second: Second) => number
  readonly isSame: (one: Key<First, Second>, other: Key<First, Second>) => boolean
  /** 0 to 2^26 - 1, much the same for keys that are neighbours in the table. */
  readonly orderOf: (first: First, second: Second) => number
}

export interface Intake<First extends Rows.Value, Second extends Rows.Value> {
  /** The row of the log with a key, if it is there: then the table's is not right. */
  readonly find: (first: First, second: Second) => number | undefined
  /** Takes a row, instead of one with the same key. */
  readonly put: (first: First, second: Second, ...more: ReadonlyArray<Rows.Value>) => void
  /** Learns what other processes have put. */
  readonly catchUp: () => void
  /** Begins a transaction, before which others may have written. */
  readonly begin: (haveOthersWritten: boolean) => void
  /** Writes what was put, and brings rows on; the last that a transaction does. */
  readonly bringOn: () => void
  /** The transaction was committed. */
  readonly committed: () => void
  /** The transaction is rolled back. */
  readonly forget: () => void
}

/** For a table that has a log, `<name>_log`. */
export const make = <First extends Rows.Value, Second extends Rows.Value>(
  db: Database,
  { columns, hashOf, isSame, name, orderOf }: Table<First, Second>,
  { most, some }: Shape
): Intake<First, Second> => {
  const log = `${name}_log`
  const all = columns.join(", ")
  const append = Rows.make(
    db,
    (rows) => `INSERT INTO ${log} (seq, ${all}) VALUES ${rows}`,
    `(?, ${columns.map(() => "?").join(", ")})`
  )
  const move = Rows.make(
    db,
    (seqs) =>
      `INSERT OR REPLACE INTO ${name} (${all})
       SELECT ${all} FROM (VALUES ${seqs}) AS moved CROSS JOIN ${log} ON seq = moved.column1`,
    "(?)"
  )
  const truncate = db.prepare<[number]>(`DELETE FROM ${log} WHERE seq <= ?`)
  const lowest = db.prepare<[], number>(`SELECT seq FROM ${log} ORDER BY seq LIMIT 1`).pluck()
  const selectKey = db
    .prepare<[number], Key<First, Second>>(`SELECT ${columns[0]}, ${columns[1]} FROM ${log} WHERE seq = ?`)
    .raw()
  const selectAfter = db
    .prepare<[number], readonly [seq: number, First, Second]>(
      `SELECT seq, ${columns[0]}, ${columns[1]} FROM ${log} WHERE seq > ? ORDER BY seq`
    )
    .raw()

  let young = makeGeneration()
  let old = makeGeneration()
  /** How many rows have come for which none has gone on. */
  let owed = 0
  /** The last row of the log that is remembered, or was; and the last that has been written. */
  let seen = 0
  let written = 0
  /** The first row of the log, and what this transaction makes of it. */
  let low = 1
  let lowAfter = 1
  /** All rows up to this have gone on. */
  let done = 0
  /** Whether a transaction was rolled back: the numbers of its rows are given to others. */
  let isLost = false

  /** Whether a row has a key. One that others have brought on and taken from the log has none: the table is right. */
  const isAt =
    (...key: Key<First, Second>) =>
    (seq: number): boolean => {
      const row = keyAt(seq)
      return row !== undefined && isSame(row, key)
    }

  const keyAt = (seq: number): Key<First, Second> | undefined => {
    writeTo(seq)
    return selectKey.get(seq)
  }

  /** Sees to it that a row can be read. */
  const writeTo = (seq: number): void => {
    if (seq <= written) return
    append.write()
    written = seen
  }

  const find = (first: First, second: Second): number | undefined => {
    const hash = hashOf(first, second)
    const isIt = isAt(first, second)
    // What is found has been looked at, and so is written.
    return young.seqs.find(hash, isIt) ?? old.seqs.find(hash, isIt)
  }

  const put = (first: First, second: Second, ...more: ReadonlyArray<Rows.Value>): void => {
    const seq = seen + 1
    append.add([seq, first, second, ...more])
    remember(seq, first, second)
  }

  const remember = (seq: number, first: First, second: Second): void => {
    const hash = hashOf(first, second)
    young.seqs.set(hash, seq, isAt(first, second))
    young.order.add(orderOf(first, second), { hash, seq })
    young.last = seen = seq
    owed += 1
  }

  const catchUp = (): void => {
    // Where others do all the work, most of what is remembered has left the log.
    if (isLost || young.order.size > 8 * most) forgetAll()
    low = lowAfter = lowest.get() ?? low
    for (const row of selectAfter.all(seen)) remember(...row)
    written = seen
    isLost = false
  }

  const forgetAll = (): void => {
    young = makeGeneration()
    old = makeGeneration()
    seen = 0
    owed = 0
  }

  const begin = (haveOthersWritten: boolean): void => {
    if (haveOthersWritten || isLost) catchUp()
  }

  const bringOn = (): void => {
    writeTo(seen)
    if (owed < some) return
    if (old.last === 0 && young.order.size >= most) {
      ;[young, old] = [old, young]
      old.order.sort()
    }
    const many = Math.min(owed, AT_ONCE)
    for (const place of old.order.take(many)) if (isNewest(place)) move.add([place.seq])
    move.write()
    owed -= many
    shorten(many)
  }

  /** Whether no other row has the key: it goes on in its turn, and others may have brought it on already. */
  const isNewest = ({ hash, seq }: Place): boolean =>
    old.seqs.has(hash, seq) && young.seqs.find(hash, isLike(seq)) === undefined

  const isLike =
    (seq: number) =>
    (other: number): boolean => {
      const key = selectKey.get(seq)
      return key !== undefined && isAt(...key)(other)
    }

  /** Takes rows that have gone on from the log. The last one stays, so that the numbers go on. */
  const shorten = (many: number): void => {
    const last = Math.min(done, seen - 1, low + 2 * many)
    if (last < low) return
    truncate.run(last)
    lowAfter = last + 1
  }

  const committed = (): void => {
    low = lowAfter
    if (old.last === 0 || old.order.size > 0) return
    done = old.last
    old.seqs.clear()
    old.order.clear()
    old.last = 0
  }

  const forget = (): void => {
    append.forget()
    move.forget()
    isLost = true
  }

  catchUp()
  return { find, put, catchUp, begin, bringOn, committed, forget }
}

/** Rows that go on together. */
interface Generation {
  readonly seqs: Seqs
  readonly order: Order
  last: number
}

const makeGeneration = (): Generation => ({ seqs: new Seqs(), order: new Order(), last: 0 })
