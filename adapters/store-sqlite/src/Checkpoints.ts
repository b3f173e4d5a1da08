/**
 * Brings what the log has into the database file, in a thread of its own: that takes tens of milliseconds, most of
 * them for the disk, and sends go on meanwhile.
 */
import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { statSync } from "node:fs"
import { Worker } from "node:worker_threads"

export interface Checkpoints {
  /** Says that something was committed. */
  readonly written: () => void
}

/** How often somebody looks at the log while there are commits, in milliseconds. */
const EVERY = 100

/** The thread is started when the log's file has so many bytes: many a service never comes that far. */
const LARGE = 16 * 2 ** 20

/** So many pages make SQLite do it within a commit, should the thread not be there or not keep up. */
const TOO_MANY = 80_000

/** For a connection in WAL mode; its commits leave the log to the thread. */
export const make = (db: Database): Effect.Effect<Checkpoints, never, Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => makeThread(db)),
      ({ stop }) => Effect.promise(stop)
    ),
    ({ look }) => {
      let notBefore = performance.now() + EVERY
      const written = (): void => {
        const now = performance.now()
        if (now < notBefore) return
        notBefore = now + EVERY
        try {
          look()
        } catch {
          // What was committed stays so, and there is another look soon.
        }
      }
      return { written: db.memory ? () => {} : written }
    }
  )

const makeThread = (db: Database) => {
  db.pragma(`wal_autocheckpoint = ${TOO_MANY}`)
  let worker: Worker | null = null

  const look = (): void => {
    if (worker === null && sizeOf(`${db.name}-wal`) < LARGE) return
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    ;(worker ??= start()).postMessage("look")
  }

  const start = (): Worker => {
    const thread = new Worker(script, { workerData: db.name })
    thread.unref()
    const lose = (): void => {
      if (worker === thread) worker = null
    }
    thread.on("error", lose)
    thread.on("exit", lose)
    return thread
  }

  const stop = async (): Promise<void> => {
    await worker?.terminate()
  }

  return { look, stop }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

// Sources run as they are under Node, and compiled elsewhere.
const script = new URL(`./checkpointThread.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url)
