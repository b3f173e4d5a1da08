/**
 * Rows of a database file that benchmarks copy.
 */
import type { Database } from "better-sqlite3"

export type Row = Readonly<Record<string, string | number | null>>

export const insertOf = (db: Database, table: string, columns: ReadonlyArray<string>) =>
  db.prepare<[Row]>(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map((name) => `@${name}`).join(", ")})`
  )

export const columnsOf = (db: Database, table: string): ReadonlyArray<string> =>
  db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table)
