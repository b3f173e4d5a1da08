/**
 * Restarts a long log between two searches.
 *
 * SQLite restarts its log only while no reader needs it. If searches follow each other without a break, that moment
 * never comes, and sends would extend the log until the disk is full.
 */
import Sqlite from "better-sqlite3"
import * as LogLength from "./LogLength.ts"

/** How long sends may wait for other readers of the log, in milliseconds. */
const TIMEOUT = 100

/** Keeps the log of a file within the limit; call it while this thread is not reading. */
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
    // Most of the log is written to the file while sends continue, so they wait only for the rest.
    db.pragma("wal_checkpoint(PASSIVE)")
    db.pragma("wal_checkpoint(RESTART)")
  }
}
