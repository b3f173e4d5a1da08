/**
 * Copies a database while others are using it: the copy is of one moment, and checked.
 *
 * SQLite's online backup copies the pages within one read transaction. If each of its steps read separately, it would
 * restart at every commit of another connection. `VACUUM INTO` also copies one moment, but sorts every index again: it
 * takes longer, and meanwhile the database's log cannot restart, and it reports no progress.
 */
import { StoreError } from "@watchword/store/StoreError"
import Sqlite, { type Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { toStoreError } from "./failures.ts"
import * as Files from "./Files.ts"
import { statusOf } from "./migrate.ts"
import * as ReadTransaction from "./ReadTransaction.ts"

export interface Options<A> {
  readonly from: string
  /** The final name of the copy. */
  readonly to: string
  /** Called as the copy grows. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** The last change to the copy before it is checked. */
  readonly finish: (copy: Database) => A
}

/** In bytes. */
export interface Progress {
  readonly copied: number
  readonly total: number
}

/** The number of pages that are copied in one turn of the event loop: 4 MB. */
const PAGES = 1_000

/** A single file next to its final location. It is removed with the scope unless it was moved. */
export interface Copy<A> {
  readonly draft: string
  /** The result of `finish`. */
  readonly finished: A
}

export const make = Effect.fnUntraced(function* <A>(options: Options<A>): Effect.fn.Return<Copy<A>, StoreError, Scope> {
  const draft = yield* Files.draft(options.to)
  yield* Effect.scoped(copy(draft, options))
  const finished = yield* attempt(() => complete(draft, options), `${options.to} could not be written`)
  return { draft, finished }
})

const copy = Effect.fnUntraced(function* (draft: string, { from, onProgress, to }: Omit<Options<never>, "finish">) {
  const source = yield* ReadTransaction.begin(from)
  const { database } = yield* attempt(() => statusOf(source), `The database ${from} could not be read`)
  if (database === 0) {
    return yield* new StoreError({ reason: "Unavailable", message: `The database ${from} has no tables.` })
  }
  const size = Number(source.pragma("page_size", { simple: true }))
  yield* Effect.tryPromise({
    try: (signal) =>
      source.backup(draft, {
        progress: ({ remainingPages, totalPages }) => {
          signal.throwIfAborted()
          onProgress?.({ copied: (totalPages - remainingPages) * size, total: totalPages * size })
          return PAGES
        }
      }),
    catch: (error) => failureOf(error, `${to} could not be written`)
  })
})

const complete = <A>(draft: string, { finish, from }: Options<A>): A => {
  const db = new Sqlite(draft)
  try {
    // Without a log of its own the copy is a single file.
    db.pragma("journal_mode = DELETE")
    const finished = finish(db)
    const verdict = db.pragma("integrity_check(1)", { simple: true })
    if (verdict !== "ok") throw damaged(from, String(verdict))
    return finished
  } finally {
    db.close()
  }
}

const damaged = (from: string, verdict: string) =>
  new StoreError({
    reason: "Unavailable",
    message: `The database ${from} is damaged, and no copy was made: ${verdict.replaceAll(/\s+/g, " ")}.`
  })

/** Runs work on files and databases. */
export const attempt = <A>(work: () => A, doing: string): Effect.Effect<A, StoreError> =>
  Effect.try({ try: work, catch: (error) => failureOf(error, doing) })

const failureOf = (error: unknown, doing: string): StoreError =>
  error instanceof StoreError ? error : (toStoreError(error, "Unavailable", doing) ?? Files.failureOf(error, doing))
