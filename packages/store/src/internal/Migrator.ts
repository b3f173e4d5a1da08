/**
 * The migrations of a database, beside the {@link Store} on it, for stores whose tables change from release to release.
 *
 * A program's version is the number of its last migration, and a database's the number of the last one that it has had. A
 * database also has a *floor*: the version of the oldest program that may use it. Most migrations leave the floor where it is,
 * so that older programs work on beside newer ones, and may be started again.
 *
 * @example
 * ```ts
 * import { refusal } from "@watchword/store/internal/Migrator"
 *
 * console.log(refusal("The database", { floor: 1, program: 1 })) // null
 * console.log(refusal("The database", { floor: 3, program: 2 })?.reason) // Unavailable
 * ```
 */
import type * as Effect from "effect/Effect"
import { StoreError } from "../StoreError.ts"

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
   * Applies what is missing and gives the status from before. Of several processes one applies, and the others wait. Fails
   * for a database that {@link refusal} refuses, too, and leaves it unchanged.
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
