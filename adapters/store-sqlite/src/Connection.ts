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
 * The oldest Node that better-sqlite3's native code supports: an older Node crashes without a message when it loads it.
 */
const OLDEST = [22, 19] as const

/** Names the required Node version if this one is too old. */
export const tooOld = (version: string): string | null => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
  return isOld ? `@watchword/store-sqlite needs Node ${OLDEST.join(".")} or later, and this is ${version}.` : null
}

/** Opens a database file, creates missing files and tables, and closes it with the scope. */
export const open = (filename: string): Effect.Effect<Database, StoreError, Scope> =>
  Effect.acquireRelease(
    retryBusy(() => connect(filename), `The database ${filename} could not be opened`),
    // The last connection to close checkpoints the log.
    (db) => Effect.sync(() => db.close())
  )

const connect = (filename: string): Database => {
  const db = openFile(filename)
  try {
    // Must be first. A transaction writes whole pages to the log, and a send changes only a few rows of each: with half
    // of SQLite's usual page size the log takes half of the bytes (`npm run bench -- ageing`). A file keeps its page
    // size.
    db.pragma("page_size = 2048")
    // Must precede the first table. Empty pages are cut off the file on request, see Reclaim.ts.
    db.pragma("auto_vacuum = INCREMENTAL")
    db.pragma("journal_mode = WAL")
    // better-sqlite3's default build does not wait for the disk when it commits in WAL mode.
    db.pragma("synchronous = FULL")
    db.pragma(`wal_autocheckpoint = ${LogLength.pagesOf(db, LogLength.LONG)}`)
    // 4 MB, enough for the pages that sends touch. Each commit that has split a page walks through the whole cache: an
    // index's pages temporarily take the highest possible page number while they change places.
    db.pragma("cache_size = -4000")
    // Deleted content is overwritten in pages that are written anyway.
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
    // better-sqlite3 throws a TypeError if the directory does not exist.
    if (!(error instanceof TypeError)) throw error
    const message = `The database ${filename} could not be opened: ${error.message.toLowerCase()}.`
    throw new StoreError({ reason: "Unavailable", message })
  }
}
