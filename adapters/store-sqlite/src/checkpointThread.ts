/**
 * The thread that brings the log into the database file, through a connection of its own.
 */
import Sqlite from "better-sqlite3"
import { constants, setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"

/** 64 MB of log: a page that is written often goes into the file once for many commits. */
const MANY = 16_000

// On Linux a thread has a priority of its own; elsewhere this would be the whole process's. Not the lowest, because the
// last of its work keeps others from writing.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const filename: string = workerData
const db = new Sqlite(filename, { timeout: 100 })
db.pragma("synchronous = NORMAL")

interface State {
  readonly log: number
  readonly checkpointed: number
}

const state = db.prepare<[], State>("PRAGMA wal_checkpoint(NOOP)")
const copy = db.prepare("PRAGMA wal_checkpoint(PASSIVE)")
// Keeps others from writing: that must be short, and is when almost everything has been copied already.
const finish = db.prepare("PRAGMA wal_checkpoint(RESTART)")

const checkpoint = (): void => {
  const { log } = state.get() ?? { log: 0 }
  if (log < MANY) return
  copy.get()
  copy.get()
  finish.get()
}

parentPort?.on("message", () => {
  try {
    checkpoint()
  } catch {
    // The log keeps what could not be copied, and there is another look soon: a disk that is full may have room then.
  }
})
