/**
 * Checkpoints in a thread, so that the event loop waits neither for pages to be copied nor for the file's sync.
 *
 * SQLite starts its log from the beginning once all of it is in the file, and under load commits follow each other too
 * closely for a thread to get there. So the thread copies most of the log while commits continue, and for the rest,
 * which takes a few milliseconds, commits wait while the event loop does not.
 *
 * A process that dies at any point leaves a log that is copied again. If the thread cannot start, is blocked by a
 * reader or falls behind, SQLite checkpoints within a commit once the log is `LogLength.LONGEST`.
 */
import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { Worker } from "node:worker_threads"
import * as LogLength from "./LogLength.ts"

/** The data that the thread starts with. */
export interface Setup {
  readonly filename: string
}

/** The result of a pass: how many pages of the log are not in the file, or null if the pass failed. */
export interface Copied {
  readonly left: number | null
}

export interface Checkpoints {
  /** Must be called after each commit. */
  readonly committed: () => void
}

/** Commits, which can be made to wait. */
export interface Commits {
  readonly hold: () => void
  readonly release: () => void
}

/** The number of commits between two looks at the length of the log. */
const LOOK_EVERY = 16

/** Commits wait for a last pass of at most so many bytes of the log. */
const SHORT = 2 ** 20

/** The number of passes for one length of the log. */
const PASSES = 4

/** How long commits wait for the last pass at most, in milliseconds. */
const HELD = 100

export const make = (db: Database, commits: Commits): Effect.Effect<Checkpoints, never, Scope> =>
  db.memory || script === null
    ? Effect.succeed({ committed: () => {} })
    : Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => makeThread(db, script, commits)),
          ({ stop }) => Effect.promise(stop)
        ),
        ({ committed }) => ({ committed })
      )

const makeThread = (db: Database, module: URL, { hold, release }: Commits) => {
  const inspect = db
    .prepare<[], readonly [busy: number, length: number, written: number]>("PRAGMA wal_checkpoint(NOOP)")
    .raw()
  const long = LogLength.pagesOf(db, LogLength.LONG)
  const short = LogLength.pagesOf(db, SHORT)
  let worker: Worker | null = null
  let canStart = true
  let commitsSeen = 0
  /** The length from which the log is checkpointed: longer after a reader has prevented it. */
  let from = long
  let passes = 0
  let held: NodeJS.Timeout | null = null
  db.pragma(`wal_autocheckpoint = ${LogLength.pagesOf(db, LogLength.LONGEST)}`)

  const committed = (): void => {
    commitsSeen += 1
    if (commitsSeen % LOOK_EVERY !== 0 || passes > 0 || !canStart) return
    const [, length = 0, written = 0] = inspect.get() ?? []
    if (length < long) from = long
    if (length - written >= from) pass()
  }

  const pass = (): void => {
    passes += 1
    const thread = (worker ??= start())
    // A pass keeps the process alive, but an idle thread does not.
    thread.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(null)
  }

  const receive = ({ left }: Copied): void => {
    const isLast = held !== null
    letGo()
    worker?.unref()
    if (left === null || isLast || passes === PASSES) {
      if (left === null || left > 0) from += long
      passes = 0
      return
    }
    if (left <= short) {
      hold()
      held = setTimeout(letGo, HELD)
    }
    pass()
  }

  const letGo = (): void => {
    if (held === null) return
    clearTimeout(held)
    held = null
    release()
  }

  const start = (): Worker => {
    // Without the program's preloads, such as tracing: they are for its main thread.
    const thread = new Worker(module, { execArgv: [], workerData: { filename: db.name } satisfies Setup })
    thread.on("message", receive)
    thread.on("error", () => lose(thread))
    thread.on("exit", () => lose(thread))
    return thread
  }

  const lose = (thread: Worker): void => {
    if (worker !== thread) return
    worker = null
    canStart = false
    letGo()
    if (db.open) db.pragma(`wal_autocheckpoint = ${long}`)
  }

  const stop = async (): Promise<void> => {
    const thread = worker
    worker = null
    canStart = false
    letGo()
    await thread?.terminate()
  }

  return { committed, stop }
}

/** The URL of this module; null in a CommonJS bundle. */
const here: string | null = import.meta.url ?? null

// Bundlers look for this exact form. Node runs the sources directly; elsewhere they are compiled.
const script =
  here === null
    ? null
    : new URL(new URL("./checkpointThread.js", import.meta.url).href.replace(/js$/, here.endsWith(".ts") ? "ts" : "js"))
