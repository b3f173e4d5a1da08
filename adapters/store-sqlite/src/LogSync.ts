/**
 * Brings the log to the disk, off the event loop.
 *
 * A commit under `synchronous = FULL` ends with one call that waits for the disk, and the thread that makes it can do
 * nothing else. `synchronous = NORMAL` leaves that call out and keeps all others, those that a log which is written
 * anew or a checkpoint need. Here it is made by the thread pool: what it covers is as safe once it is back.
 */
import type { Database } from "better-sqlite3"
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs"

export interface LogSync {
  /** Calls back when everything that was committed before is on the disk, or with what went wrong. */
  readonly begin: (done: (error: Error | null) => void) => void
  /** The same, and waits here. */
  readonly now: () => Error | null
  /** Nothing is begun after this. */
  readonly close: () => void
}

/** For a connection in WAL mode; from now on its commits leave the wait to this. */
export const make = (db: Database): LogSync => {
  if (db.memory) return nothing
  // The first look into the file makes the log, and it stays as long as the connection does.
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

// What is only in memory waits for no disk.
const nothing: LogSync = { begin: (done) => done(null), now: () => null, close: () => {} }
