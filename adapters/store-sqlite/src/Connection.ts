/**
 * The connection to the file.
 */
import { StoreError } from "@watchword/store/StoreError"
import Sqlite, { type Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { closeSync, openSync } from "node:fs"
import { migrate } from "./migrate.ts"
import { patiently } from "./patiently.ts"

/** Opens a database file, or makes it, brings it to this version, and closes it with the scope. */
export const open = (filename: string): Effect.Effect<Database, StoreError, Scope> =>
  Effect.acquireRelease(
    patiently(() => connect(filename), `The database ${filename} could not be opened`),
    // The last connection that closes brings the log into the file.
    (db) => Effect.sync(() => db.close())
  )

const connect = (filename: string): Database => {
  const db = openFile(filename)
  try {
    db.pragma("journal_mode = WAL")
    // better-sqlite3 is built so that a commit in WAL mode does not wait for the disk.
    db.pragma("synchronous = FULL")
    // 16 MB of log: what is written often goes into the file once for many commits, not once for a few.
    db.pragma("wal_autocheckpoint = 4000")
    // 4 MB, which hold what sends touch. Each commit that has split a page walks through all of the cache (an index's
    // pages take the highest number there can be while they change places), and what the walk brings in drives out else.
    db.pragma("cache_size = -4000")
    db.pragma("foreign_keys = ON")
    migrate(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

const openFile = (filename: string): Database => {
  try {
    keepPrivate(filename)
    return new Sqlite(filename, { timeout: 0 })
  } catch (error) {
    // So it is when the directory does not exist.
    if (!(error instanceof TypeError)) throw error
    const message = `The database ${filename} could not be opened: ${error.message.toLowerCase()}.`
    throw new StoreError({ reason: "Unavailable", message })
  }
}

/** A new file holds phone numbers soon: it is made for this user alone. SQLite makes the log alike. */
const keepPrivate = (filename: string): void => {
  if (filename === ":memory:") return
  try {
    closeSync(openSync(filename, "ax", 0o600))
  } catch {
    // There is one already, whose owner decides; or it cannot be made, which SQLite says better.
  }
}
