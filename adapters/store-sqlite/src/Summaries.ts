/**
 * Keeps what is summarised up to date, in a thread of its own: the sends of nobody wait for it.
 *
 * The thread is woken when a drawer has changed much since, and looks at all drawers once when the store opens on a
 * file that has many records.
 */
import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { Worker } from "node:worker_threads"
import { toStoreError } from "./failures.ts"
import type { Told } from "./summaries/Amendments.ts"
import * as Blocks from "./summaries/Blocks.ts"
import { SHAPE } from "./summaries/Shape.ts"

/** Drawers to look at, or all. */
export type Word = ReadonlyArray<number> | "all"

/** A drawer is looked at when it has so many new records, or so many changes to sealed ones. */
const RECORDS = SHAPE.most / 4
const AMENDMENTS = SHAPE.changes / 4

/** A store that has just been opened has more urgent things to do, for so many milliseconds. */
const REST = 2_000

export const make = (db: Database): Effect.Effect<Told, never, Scope> =>
  // What is only in memory is not there for another thread.
  db.memory ? Effect.succeed(() => undefined) : Effect.map(started(db), ({ told }) => told)

const started = (db: Database) =>
  Effect.acquireRelease(
    Effect.sync(() => start(db)),
    ({ stop }) => Effect.promise(stop)
  )

const start = (db: Database) => {
  const blocks = Blocks.make(db)
  /** What has changed in each drawer since it was last looked at: 1 is enough to do so again. */
  const changed = new Map<number, number>()
  let worker: Worker | null = null

  const wake = (word: Word): void => {
    worker ??= begin()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(word)
  }

  const begin = (): Worker => {
    const thread = new Worker(script, { workerData: db.name })
    // Lists are right without it, only slower: it is tried again when it is next woken.
    thread.on("error", (error) => process.emitWarning(`Records could not be summarised: ${error.message}`))
    thread.on("exit", () => {
      if (worker === thread) worker = null
    })
    thread.unref()
    return thread
  }

  const told: Told = (drawer, change) => {
    const share = (changed.get(drawer) ?? 0) + (change === "record" ? 1 / RECORDS : 1 / AMENDMENTS)
    changed.set(drawer, share < 1 ? share : 0)
    if (share >= 1 && (change === "amendment" || blocks.unsealed(drawer) > SHAPE.most)) wake([drawer])
  }

  const lookAtAll = (): void => {
    try {
      if (hasMany(db)) wake("all")
    } catch (error) {
      // A file that cannot be read is told to those who ask for something in it.
      if (toStoreError(error) === null) throw error
    }
  }

  const looking = setTimeout(lookAtAll, REST)
  looking.unref()

  const stop = async (): Promise<void> => {
    clearTimeout(looking)
    await worker?.terminate()
  }

  return { told, stop }
}

const hasMany = (db: Database): boolean => {
  const last = db.prepare<[], number | null>("SELECT max(n) FROM deliveries").pluck().get() ?? 0
  return last > SHAPE.most
}

// Sources run as they are under Node, and compiled elsewhere.
const script = new URL(`./summaryThread.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url)
