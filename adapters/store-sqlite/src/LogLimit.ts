/**
 * Begins the log again between two searches once it is long.
 *
 * SQLite begins its log again only while no reader needs it. Where one search follows the other there is no such
 * moment, and sends would make the log longer until the disk is full.
 */
import Sqlite from "better-sqlite3"

/** In pages: 64 MB. The connection that writes checkpoints at half of it. */
const LONGEST = 16_000

/** How long sends may wait for other readers of the log, in milliseconds. */
const TIMEOUT = 100

/** Keeps the log of a file within the limit; to be called where this thread reads nothing. */
export const make = (filename: string): (() => void) => {
  const db = new Sqlite(filename, { timeout: TIMEOUT })
  db.pragma("synchronous = FULL")
  const inspect = db
    .prepare<[], readonly [busy: number, length: number, written: number]>("PRAGMA wal_checkpoint(NOOP)")
    .raw()

  return () => {
    const [, length = 0] = inspect.get() ?? []
    if (length <= LONGEST) return
    // Most of the log goes into the file beside the sends, and they wait for the rest alone.
    db.pragma("wal_checkpoint(PASSIVE)")
    db.pragma("wal_checkpoint(RESTART)")
  }
}
