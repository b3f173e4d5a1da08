/**
 * The connection to the file.
 */
import { StoreError } from "@watchword/store/StoreError"
import Sqlite, { type Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as Files from "./Files.ts"
import * as LogLength from "./LogLength.ts"
import { migrate } from "./migrate.ts"
import { createPrivate } from "./privateFile.ts"
import { retryBusy } from "./retryBusy.ts"

/**
 * The oldest Node that the native part of better-sqlite3 runs on: an older one ends without a word when it is loaded.
 */
const OLDEST = [22, 19] as const

/** Says which Node is needed where this one is too old. */
export const tooOld = (version: string): string | null => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
  return isOld ? `@watchword/store-sqlite needs Node ${OLDEST.join(".")} or later, and this is ${version}.` : null
}

/** Opens a database file, creates missing files and tables, and closes it with the scope. */
export const open = (filename: string): Effect.Effect<Database, StoreError, Scope> =>
  Effect.acquireRelease(
    retryBusy(() => connect(filename), `The database ${filename} could not be opened`),
    // The last connection that closes checkpoints the log.
    (db) => Effect.sync(() => db.close())
  )

const connect = (filename: string): Database => {
  const db = openFile(filename)
  try {
    // Before everything else. A transaction writes whole pages to the log, and a send changes a few rows of each: with
    // half of SQLite's usual size the log takes half of the bytes (`npm run bench -- ageing`). A file keeps its size.
    db.pragma("page_size = 2048")
    // Before the first table. Pages that hold nothing are cut off the file when it is asked for, see Reclaim.ts.
    db.pragma("auto_vacuum = INCREMENTAL")
    db.pragma("journal_mode = WAL")
    // better-sqlite3 is built so that a commit in WAL mode does not wait for the disk.
    db.pragma("synchronous = FULL")
    db.pragma(`wal_autocheckpoint = ${LogLength.pagesOf(db, LogLength.LONG)}`)
    // 4 MB, which hold the pages that sends touch. Each commit that has split a page walks through all of the cache: an
    // index's pages take the highest page number there can be while they change places.
    db.pragma("cache_size = -4000")
    // What is deleted is overwritten in pages that are written anyway.
    db.pragma("secure_delete = FAST")
    db.pragma("foreign_keys = ON")
    migrate(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

const openFile = (filename: string): Database => {
  const message = tooOld(process.versions.node)
  if (message !== null) throw new StoreError({ reason: "Unavailable", message })
  try {
    if (filename === ":memory:") return new Sqlite(filename)
    createPrivate(filename)
    return new Sqlite(Files.target(filename), { timeout: 0 })
  } catch (error) {
    // better-sqlite3 throws a TypeError where the directory does not exist.
    if (!(error instanceof TypeError)) throw error
    const message = `The database ${filename} could not be opened: ${error.message.toLowerCase()}.`
    throw new StoreError({ reason: "Unavailable", message })
  }
}
