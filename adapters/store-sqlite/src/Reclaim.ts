/**
 * Returns the space of deleted values to the file system.
 *
 * Deleted values are overwritten in their pages at once (`secure_delete`), and empty pages are cut off the file
 * (`auto_vacuum`). The log keeps earlier versions of pages until it is truncated too. A page that was rebuilt because
 * rows grew may contain bytes of rows that are now on other pages: only VACUUM, which rewrites all pages, is certain to
 * remove them all.
 */
import type { Reclaim } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import Sqlite, { type Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import { retryBusy } from "./retryBusy.ts"

/** The number of free pages that one step cuts off: 2 MB. */
const PAGES = 500

/** The number of steps after a purge. */
const STEPS = 20

/** How often truncation is retried while a reader needs the log, and the pause in milliseconds. */
const TRIES = 8
const PAUSE = 250

type Submit = <A>(step: () => A) => Effect.Effect<A, StoreError>

export const make = (db: Database, submit: Submit): ((what: Reclaim) => Effect.Effect<boolean, StoreError>) => {
  const free = db.prepare<[], number>("PRAGMA freelist_count").pluck()

  /** Cuts some free pages off; returns the number left. */
  const cut = submit(() => {
    db.pragma(`incremental_vacuum(${PAGES})`)
    return free.get() ?? 0
  })

  const cutAll = Effect.fnUntraced(function* (most: number) {
    // A file that was created without auto_vacuum keeps its free pages for future rows.
    let before = Infinity
    for (let step = 0; step < most; step++) {
      const left = yield* cut
      if (left === 0 || left >= before) return
      before = left
    }
  })

  return Effect.fnUntraced(function* (what) {
    if (what === "some") {
      yield* cutAll(STEPS)
      return true
    }
    yield* cutAll(Infinity)
    return db.memory || (yield* onOwnConnection(db.name, what === "rewrite"))
  })
}

/** VACUUM and checkpoints need a connection without statements in progress. */
const onOwnConnection = (filename: string, rewrites: boolean): Effect.Effect<boolean, StoreError> =>
  Effect.acquireUseRelease(
    retryBusy(() => open(filename)),
    (db) =>
      Effect.gen(function* () {
        if (rewrites) yield* retryBusy(() => db.exec("VACUUM"))
        for (let tries = 0; tries < TRIES; tries++) {
          if (isCutOff(db)) return true
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, PAUSE)))
        }
        return false
      }),
    (db) => Effect.sync(() => db.close())
  )

const open = (filename: string): Database => {
  const db = new Sqlite(filename, { timeout: 0, fileMustExist: true })
  db.pragma("synchronous = FULL")
  db.pragma("auto_vacuum = INCREMENTAL")
  return db
}

/** Writes the log to the file and truncates it; returns `false` if a reader needs it. */
const isCutOff = (db: Database): boolean => {
  // Most of it is written while sends continue, so they wait only for the rest.
  db.pragma("wal_checkpoint(PASSIVE)")
  const [row] = db.prepare<[], readonly [busy: number]>("PRAGMA wal_checkpoint(TRUNCATE)").raw().all()
  return row?.[0] === 0
}
