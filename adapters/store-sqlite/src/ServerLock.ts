/**
 * The server's lock on a file, which only one process can hold: two servers on one file would end each other's calls.
 *
 * It is SQLite's exclusive lock on an empty file next to the database. The operating system releases it when the
 * process ends, however it ends.
 */
import { StoreError } from "@watchword/store/StoreError"
import Sqlite, { type Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { isBusy, toStoreError } from "./failures.ts"
import { createPrivate } from "./privateFile.ts"

/**
 * Takes the lock, unless this store already has it; fails if another store has it. It is held until the scope closes.
 */
export type ServerLock = Effect.Effect<void, StoreError>

export const make = (db: Database): Effect.Effect<ServerLock, never, Scope> =>
  Effect.gen(function* () {
    let lock: Database | null = null
    yield* Effect.addFinalizer(() => Effect.sync(() => lock?.close()))

    return Effect.suspend(() => {
      try {
        if (!db.memory) lock ??= locked(db.name)
        return Effect.void
      } catch (error) {
        return refused(
          db.name,
          error,
          `Another server works on the database ${db.name}; several servers need PostgreSQL.`
        )
      }
    })
  })

/** Takes the lock for work that no server may see, until the scope closes. */
export const hold = (filename: string): Effect.Effect<void, StoreError, Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      try {
        return Effect.succeed(locked(filename))
      } catch (error) {
        return refused(filename, error, `A server works on the database ${filename}: stop it first.`)
      }
    }),
    (lock) => Effect.sync(() => lock.close())
  )

const locked = (filename: string): Database => {
  createPrivate(`${filename}-server`)
  const lock = new Sqlite(`${filename}-server`, { timeout: 0 })
  try {
    lock.exec("BEGIN EXCLUSIVE")
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}

const refused = (filename: string, error: unknown, served: string): Effect.Effect<never, StoreError> => {
  const failure = isBusy(error)
    ? new StoreError({ reason: "Unavailable", message: served })
    : toStoreError(error, "Unavailable", `The file ${filename}-server could not be locked`)
  return failure === null ? Effect.die(error) : Effect.fail(failure)
}
