/**
 * The migrations of a database, next to the {@link Store} on it, for stores whose tables change from release to
 * release.
 *
 * Migrations are numbered from 1 by their place in a store's list, and go forward only. A program's version is the
 * number of its last migration, and a database's the number of the last one applied. A database also has a *floor*: the
 * version of the oldest program that may use it. A migration is an *expansion* unless it has a floor: programs from
 * before it continue to work, so that servers can be restarted one by one, and older programs may be started again. A
 * *contraction* takes away what older programs need, and its floor is the version of the oldest program that works
 * without.
 *
 * The rules are the same for all SQL stores, and so is the table in which a database records the migrations that it has
 * had.
 *
 * @example
 * ```ts
 * import { refusal, statusOf } from "@watchword/store/Migrator"
 *
 * const migrations = [{ name: "tables" }, { name: "add notes" }, { name: "drop remarks", floor: 2 }]
 * console.log(statusOf({ version: 1, floor: 1 }, migrations).pending.length) // 2
 * console.log(refusal("The database", { floor: 1, program: 1 })) // null
 * console.log(refusal("The database", { floor: 3, program: 2 })?.reason) // Unavailable
 * ```
 */
import type * as Effect from "effect/Effect"
import { StoreError } from "./StoreError.ts"

/** A migration that the program knows and a database has not had. */
export interface Pending {
  readonly version: number
  readonly name: string
  /** The floor that it raises the database to, or null when it leaves the floor where it is. */
  readonly floor: number | null
}

/** A database as a program sees it. */
export interface Status {
  /** The version of the database: 0 for an empty one. */
  readonly database: number
  /** The version of the program. */
  readonly program: number
  /** The version of the oldest program that may use the database: 0 for an empty one. */
  readonly floor: number
  readonly pending: ReadonlyArray<Pending>
}

export interface Migrator {
  /** Changes nothing. Fails for a database that cannot be read, or that belongs to another program. */
  readonly status: Effect.Effect<Status, StoreError>
  /**
   * Applies missing migrations and returns the status from before. Of several processes one applies, and the others
   * wait. Fails for a database that {@link refusal} refuses, too, and leaves it unchanged.
   */
  readonly migrate: Effect.Effect<Status, StoreError>
}

/**
 * The error of a database that the program must not use, or null.
 *
 * @param database its name, with which the sentence begins
 */
export const refusal = (database: string, { floor, program }: Pick<Status, "floor" | "program">): StoreError | null =>
  floor <= program
    ? null
    : new StoreError({
        reason: "Unavailable",
        message:
          `${database} was migrated by a newer program: it takes programs of version ${floor} or later, ` +
          `and this one has version ${program}.`
      })

/** The common part of all stores' migrations. A released migration never changes. */
export interface Migration {
  /** Describes it, using only letters, digits, spaces, `_` and `.`. */
  readonly name: string
  /**
   * Of a contraction: the version of the oldest program that may use the database after it. With its own number,
   * programs from before it must have ended.
   */
  readonly floor?: number
}

/** The migrations that a database records. */
export interface Recorded {
  readonly version: number
  readonly floor: number
}

/** The record of an empty database. */
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

/** Selects the migrations that a database records. */
export const selectRecorded = (table = JOURNAL): string =>
  `SELECT coalesce(max(version), 0) AS version, coalesce(max(floor), 0) AS floor FROM ${table}`

/** Records a migration, in the transaction of its statements. */
export const insertRecord = (version: number, { floor = 1, name }: Migration, table = JOURNAL): string =>
  `INSERT INTO ${table} (version, name, floor) VALUES (${version}, '${name}', ${floor})`
