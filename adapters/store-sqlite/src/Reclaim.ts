/**
 * The space of deleted values, given back to the file system.
 *
 * Deleted values are overwritten in their pages at once (`secure_delete`), and pages that hold nothing are cut off the
 * file (`auto_vacuum`). The log has pages as they were, until it is cut off too. A page that was rebuilt because rows
 * grew may hold bytes of rows that are on other pages now: only VACUUM, which writes all pages again, is sure to leave
 * none.
 */
import type { Reclaim } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import Sqlite, { type Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import { retryBusy } from "./retryBusy.ts"

/** How many free pages one step cuts off: 2 MB. */
const PAGES = 500

/** How many steps follow a purge. */
const STEPS = 20

/** How often a log that a reader needs is tried again, and after how many milliseconds. */
const TRIES = 8
const PAUSE = 250

type Submit = <A>(step: () => A) => Effect.Effect<A, StoreError>

export const make = (db: Database, submit: Submit): ((what: Reclaim) => Effect.Effect<boolean, StoreError>) => {
  const free = db.prepare<[], number>("PRAGMA freelist_count").pluck()

  /** Cuts some free pages off; answers how many are left. */
  const cut = submit(() => {
    db.pragma(`incremental_vacuum(${PAGES})`)
    return free.get() ?? 0
  })

  const cutAll = Effect.fnUntraced(function* (most: number) {
    // A file that was made without auto_vacuum keeps its free pages for rows to come.
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

/** VACUUM and checkpoints need a connection without statements under way. */
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

/** Writes the log into the file and cuts it off; false if a reader needs it. */
const isCutOff = (db: Database): boolean => {
  // Most of it is written beside the sends, which wait for the rest alone.
  db.pragma("wal_checkpoint(PASSIVE)")
  const [row] = db.prepare<[], readonly [busy: number]>("PRAGMA wal_checkpoint(TRUNCATE)").raw().all()
  return row?.[0] === 0
}
