/**
 * Syncs SQLite's write-ahead log, off the event loop.
 *
 * A commit under `synchronous = FULL` ends with an fdatasync of the log, which blocks its thread. `synchronous =
 * NORMAL` skips that call and keeps all others: the syncs of checkpoints and of a log that restarts. This module makes
 * the call in Node's thread pool: once it returns, a transaction is as safe as under FULL.
 */
import type { Database } from "better-sqlite3"
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs"

export interface LogSync {
  /** Calls back when all earlier commits are on the disk, or with the error. */
  readonly begin: (done: (error: Error | null) => void) => void
  /** The same, but blocks until the sync has ended. */
  readonly now: () => Error | null
  /** No sync may begin after this call. */
  readonly close: () => void
}

/** For a connection in WAL mode, whose commits no longer sync by themselves. */
export const make = (db: Database): LogSync => {
  if (db.memory) return nothing
  // The first read creates the log, which lasts as long as the connection.
  db.pragma("user_version")
  const log = openSync(`${db.name}-wal`, "r+")
  db.pragma("synchronous = NORMAL")
  let underway = 0
  let closed = false

  const closeIfDone = (): void => {
    if (closed && underway === 0) closeSync(log)
  }

  const begin: LogSync["begin"] = (done) => {
    underway += 1
    fdatasync(log, (error) => {
      underway -= 1
      closeIfDone()
      done(error)
    })
  }

  const now = (): Error | null => {
    try {
      fdatasyncSync(log)
      return null
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  const close = (): void => {
    closed = true
    closeIfDone()
  }

  return { begin, now, close }
}

// A database in memory has no log.
const nothing: LogSync = { begin: (done) => done(null), now: () => null, close: () => {} }
