import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Database } from "better-sqlite3"
import { closedError, isBusy, toStoreError } from "./failures.ts"

/** How long anything waits for other processes that use the same file, in milliseconds. */
export const PATIENCE = 5_000

/**
 * Does something with the database, and again every millisecond while another process is in the way. The
 * event loop keeps turning meanwhile, which it would not do under SQLite's own busy time-out.
 */
export const patiently = <A>(query: () => A, doing?: string): Effect.Effect<A, StoreError> =>
  Effect.suspend(() => attempt(query, doing, performance.now() + PATIENCE))

const attempt = <A>(query: () => A, doing: string | undefined, until: number): Effect.Effect<A, StoreError> => {
  try {
    return Effect.succeed(query())
  } catch (error) {
    if (isBusy(error) && performance.now() < until) {
      return Effect.andThen(
        pause,
        Effect.suspend(() => attempt(query, doing, until))
      )
    }
    const failure = error instanceof StoreError ? error : toStoreError(error, "Unavailable", doing)
    return failure === null ? Effect.die(error) : Effect.fail(failure)
  }
}

// A lock is not a matter of the program's clock, which a test may have stopped.
const pause = Effect.callback<void>((resume) => {
  setTimeout(() => resume(Effect.void), 1)
})

/** Answers from what is committed. */
export type Read = <A>(query: () => A) => Effect.Effect<A, StoreError>

/** Reads as long as the database is open. */
export const readFrom =
  (db: Database): Read =>
  (query) =>
    Effect.suspend(() => (db.open ? patiently(query) : Effect.fail(closedError())))
