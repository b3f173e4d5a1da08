/**
 * The thread that checkpoints: it copies pages from the log to the file, on a connection of its own.
 */
import Sqlite from "better-sqlite3"
import { parentPort, workerData } from "node:worker_threads"
import type { Copied, Setup } from "./Checkpoints.ts"

const { filename }: Setup = workerData
const db = new Sqlite(filename, { timeout: 0, fileMustExist: true })
const checkpoint = db
  .prepare<[], readonly [busy: number, length: number, written: number]>("PRAGMA wal_checkpoint(PASSIVE)")
  .raw()

const post = (copied: Copied): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(copied)
}

parentPort?.on("message", () => {
  try {
    const [, length = 0, written = 0] = checkpoint.get() ?? []
    post({ left: length - written })
  } catch {
    // Another connection is checkpointing, or the disk failed, which the next commit also notices.
    post({ left: null })
  }
})
