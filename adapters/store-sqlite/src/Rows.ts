/**
 * Rows that are kept back and written many to a statement: with one each, a third of the time goes into the beginnings
 * and ends of statements.
 */
import type { Database } from "better-sqlite3"

/** A value of a column. */
export type Value = number | string | Buffer | null

export interface Rows {
  /** Keeps a row back, or writes it with those before. */
  readonly add: (row: ReadonlyArray<Value>) => void
  /** Writes what is kept back. */
  readonly write: () => void
  /** Forgets what is kept back, because the transaction is rolled back. */
  readonly forget: () => void
}

/** How many rows the statements have, most first. */
const SIZES = [16, 4, 1] as const
const [MOST] = SIZES

/**
 * @param statement makes a statement of its list of rows
 * @param row one of them, with a `?` for each value: `(?, ?)`
 */
export const make = (db: Database, statement: (rows: string) => string, row: string): Rows => {
  const width = row.split("?").length - 1
  const statements = SIZES.map((size) => ({
    length: size * width,
    prepared: db.prepare<Array<Value>>(statement(Array.from({ length: size }, () => row).join(", ")))
  }))
  // Used again and again, because a list that grows is made anew several times.
  const kept = Array.from({ length: MOST * width }, (): Value => null)
  let filled = 0

  const add = (row: ReadonlyArray<Value>): void => {
    for (const value of row) kept[filled++] = value
    if (filled === kept.length) write()
  }

  const write = (): void => {
    let at = 0
    for (const { length, prepared } of statements) {
      for (; at + length <= filled; at += length) {
        // One by one: the binding takes longer to read an array.
        prepared.run(...(length === kept.length ? kept : kept.slice(at, at + length)))
      }
    }
    filled = 0
  }

  const forget = (): void => {
    filled = 0
  }

  return { add, write, forget }
}
