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
import { Runs } from "./Runs.ts"

/** A value of a column. */
export type Value = number | string | Buffer | null

export interface Shape {
  /** So many rows are gathered before they go on. */
  readonly most: number
  /** At least so many go on in a transaction, if any. */
  readonly some: number
}

/** A few MB of keys, and a moment to read them when the file is opened. */
export const SHAPE: Shape = { most: 32_768, some: 64 }

export interface Table<First extends Value, Second extends Value> {
  readonly name: string
  /** All columns, the two of the primary key first. */
  readonly columns: readonly [string, string, ...ReadonlyArray<string>]
  /** A text that is sorted as the table sorts keys, nearly at least. */
  readonly keyOf: (first: First, second: Second) => string
  /** Which rows of the log go on; all unless given. */
  readonly where?: string
}

export interface Intake<First extends Value, Second extends Value> {
  /** The row of the log with a key, if it is there: then the table's is not right. */
  readonly find: (first: First, second: Second) => number | undefined
  /** Takes a row, instead of one with the same key. */
  readonly put: (first: First, second: Second, ...more: ReadonlyArray<Value>) => void
  /** Learns what other processes have put. */
  readonly catchUp: () => void
  /** Brings rows on; the last that a transaction does. */
  readonly bringOn: () => void
  /** The transaction was committed. */
  readonly committed: () => void
  /** The transaction is rolled back. */
  readonly forget: () => void
}

/** For a table that has a log, `<name>_log`. */
export const make = <First extends Value, Second extends Value>(
  db: Database,
  { columns, keyOf, name, where = "true" }: Table<First, Second>,
  { most, some }: Shape
): Intake<First, Second> => {
  const log = `${name}_log`
  const all = columns.join(", ")
  const append = db.prepare<[First, Second, ...ReadonlyArray<Value>]>(
    `INSERT INTO ${log} (${all}) VALUES (${columns.map(() => "?").join(", ")})`
  )
  const move = db.prepare<[number]>(
    `INSERT OR REPLACE INTO ${name} (${all}) SELECT ${all} FROM ${log} WHERE seq = ? AND ${where}`
  )
  const truncate = db.prepare<[number]>(`DELETE FROM ${log} WHERE seq <= ?`)
  const lowest = db.prepare<[], number>(`SELECT seq FROM ${log} ORDER BY seq LIMIT 1`).pluck()
  const selectAfter = db
    .prepare<[number], readonly [seq: number, First, Second]>(
      `SELECT seq, ${columns[0]}, ${columns[1]} FROM ${log} WHERE seq > ? ORDER BY seq`
    )
    .raw()

  /** Of this transaction. */
  const fresh = new Map<string, number>()
  let young = new Generation()
  let old = new Generation()
  /** What goes on with this transaction. */
  let moving: ReadonlyArray<string> = []
  /** How many rows have been put for which none has gone on. */
  let owed = 0
  /** The last row of the log that is remembered, or was. */
  let seen = 0
  /** The first row of the log, and what this transaction makes of it. */
  let low = 1
  let lowAfter = 1
  /** All rows up to this have gone on. */
  let done = 0

  const find = (first: First, second: Second): number | undefined => {
    const key = keyOf(first, second)
    return fresh.get(key) ?? young.rows.get(key) ?? old.rows.get(key)
  }

  const put = (first: First, second: Second, ...more: ReadonlyArray<Value>): void => {
    fresh.set(keyOf(first, second), Number(append.run(first, second, ...more).lastInsertRowid))
  }

  const remember = (key: string, seq: number): void => {
    young.add(key, seq)
    seen = Math.max(seen, seq)
  }

  const catchUp = (): void => {
    const first = lowest.get() ?? low
    if (first > seen + 1) {
      // Rows that were not seen have gone into the table, and what is remembered may be older.
      young = new Generation()
      old = new Generation()
      moving = []
      seen = 0
    }
    low = lowAfter = first
    for (const [seq, first, second] of selectAfter.iterate(seen)) remember(keyOf(first, second), seq)
  }

  const bringOn = (): void => {
    owed += fresh.size
    if (owed < some) return
    if (old.rows.size === 0 && young.rows.size >= most) {
      old = young
      young = new Generation()
    }
    // What a transaction that failed was to bring on comes first.
    if (moving.length === 0) moving = old.order.take(owed)
    for (const key of moving) {
      const seq = old.rows.get(key)
      // A newer row with the key goes on in its turn, and may have been brought on by others already.
      if (seq !== undefined && !young.rows.has(key) && !fresh.has(key)) move.run(seq)
    }
    owed = 0
    shorten()
  }

  /** Takes rows that have gone on from the log. The last one stays, so that the numbers go on. */
  const shorten = (): void => {
    const last = Math.min(done, seen - 1, low + 2 * some)
    if (last < low) return
    truncate.run(last)
    lowAfter = last + 1
  }

  const committed = (): void => {
    for (const [key, seq] of fresh) remember(key, seq)
    fresh.clear()
    for (const key of moving) old.rows.delete(key)
    moving = []
    low = lowAfter
    if (old.rows.size === 0) done = Math.max(done, old.last)
  }

  const forget = (): void => {
    fresh.clear()
    lowAfter = low
  }

  catchUp()
  return { find, put, catchUp, bringOn, committed, forget }
}

/** Rows that go on together. */
class Generation {
  /** Where they are in the log. */
  readonly rows = new Map<string, number>()
  readonly order = new Runs()
  last = 0

  add(key: string, seq: number): void {
    this.rows.set(key, seq)
    this.order.add(key)
    this.last = Math.max(this.last, seq)
  }
}
