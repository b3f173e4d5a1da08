/**
 * Waits for other processes that have the file locked, without blocking the event loop.
 */
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Database } from "better-sqlite3"
import { closedError, isBusy, toStoreError } from "./failures.ts"

/** How long a query or a transaction waits for other processes, in milliseconds. */
export const BUSY_TIMEOUT = 5_000

/**
 * Runs a query, and retries it every millisecond while another process has the file locked. The event loop keeps
 * running meanwhile, which it would not with SQLite's own busy timeout.
 */
export const retryBusy = <A>(query: () => A, doing?: string): Effect.Effect<A, StoreError> =>
  Effect.suspend(() => attempt(query, doing, performance.now() + BUSY_TIMEOUT))

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

// Does not use Effect's clock, which a test may have stopped.
const pause = Effect.callback<void>((resume) => {
  setTimeout(() => resume(Effect.void), 1)
})

/** Reads committed rows. */
export type Read = <A>(query: () => A) => Effect.Effect<A, StoreError>

/** Reads while the database is open, and fails afterwards. */
export const readFrom =
  (db: Database): Read =>
  (query) =>
    Effect.suspend(() => (db.open ? retryBusy(query) : Effect.fail(closedError())))
