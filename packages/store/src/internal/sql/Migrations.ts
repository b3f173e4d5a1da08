/**
 * The rules of migrations, which all SQL stores keep, and the table in which a database records those that it has had.
 *
 * Migrations are numbered from 1 by their place in a store's list, and go forward only. A migration is an *expansion*
 * unless it has a floor: programs from before it go on to work, so that servers can be restarted one by one. A
 * *contraction* takes away what older programs need, and its floor is the version of the oldest program that works
 * without. See `@watchword/store/internal/Migrator`.
 *
 * @example
 * ```ts
 * import { statusOf } from "@watchword/store/internal/sql/Migrations"
 *
 * const migrations = [{ name: "tables" }, { name: "add notes" }, { name: "drop remarks", floor: 2 }]
 * console.log(statusOf({ version: 1, floor: 1 }, migrations).pending.length) // 2
 * ```
 */
import type { Status } from "../Migrator.ts"

/** What the migrations of all stores have in common. One that has been released is never changed. */
export interface Migration {
  /** Says what it does, in letters, digits, spaces, `_` and `.` alone. */
  readonly name: string
  /**
   * Of a contraction: the version of the oldest program that may use the database after it. With its own number,
   * programs from before it must have ended.
   */
  readonly floor?: number
}

/** What a database records. */
export interface Recorded {
  readonly version: number
  readonly floor: number
}

/** What an empty database records. */
export const EMPTY: Recorded = { version: 0, floor: 0 }

/** A database with these records, as a program with these migrations sees it. */
export const statusOf = ({ floor, version }: Recorded, migrations: ReadonlyArray<Migration>): Status => ({
  database: version,
  program: migrations.length,
  floor,
  pending: migrations.slice(version).map((migration, i) => ({
    version: version + i + 1,
    name: migration.name,
    floor: migration.floor ?? null
  }))
})

/** The table of the records. */
export const JOURNAL = "watchword_migrations"

/** @param table the name of the journal, quoted and qualified as needed */
export const createJournal = (table = JOURNAL): string =>
  `CREATE TABLE ${table} (version integer PRIMARY KEY, name text NOT NULL, floor integer NOT NULL)`

/** Selects what a database records. */
export const selectRecorded = (table = JOURNAL): string =>
  `SELECT coalesce(max(version), 0) AS version, coalesce(max(floor), 0) AS floor FROM ${table}`

/** Records a migration, in the transaction of its statements. */
export const insertRecord = (version: number, { floor = 1, name }: Migration, table = JOURNAL): string =>
  `INSERT INTO ${table} (version, name, floor) VALUES (${version}, '${name}', ${floor})`
