/**
 * Begins the log again between two searches once it is long.
 *
 * SQLite begins its log again only while no reader needs it. Where one search follows the other there is no such
 * moment, and sends would make the log longer until the disk is full.
 */
import Sqlite from "better-sqlite3"
import * as LogLength from "./LogLength.ts"

/** How long sends may wait for other readers of the log, in milliseconds. */
const TIMEOUT = 100

/** Keeps the log of a file within the limit; to be called where this thread reads nothing. */
export const make = (filename: string): (() => void) => {
  const db = new Sqlite(filename, { timeout: TIMEOUT })
  db.pragma("synchronous = FULL")
  const inspect = db
    .prepare<[], readonly [busy: number, length: number, written: number]>("PRAGMA wal_checkpoint(NOOP)")
    .raw()
  const longest = LogLength.pagesOf(db, LogLength.LONGEST)

  return () => {
    const [, length = 0] = inspect.get() ?? []
    if (length <= longest) return
    // Most of the log goes into the file beside the sends, and they wait for the rest alone.
    db.pragma("wal_checkpoint(PASSIVE)")
    db.pragma("wal_checkpoint(RESTART)")
  }
}
