/**
 * The connection to D1: runs batches of statements, and repeats a batch if D1 did not say whether it happened.
 */
import type { Sql } from "@watchword/store/sql"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { D1Database } from "./D1.ts"
import { type Changed, Mistake, toFailure } from "./failures.ts"

/** D1's time, in milliseconds since the epoch. */
export const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

export type Value = string | number | null

export interface Statement {
  /** With parameters `?1`, `?2`, … */
  readonly sql: string
  readonly values: ReadonlyArray<Value>
}

export interface Result {
  readonly rows: ReadonlyArray<unknown>
  readonly changes: number
}

export interface Connection {
  /** Runs statements in one transaction, once. */
  readonly once: (statements: ReadonlyArray<Statement>) => Effect.Effect<ReadonlyArray<Result>, Changed | StoreError>
  /**
   * Runs statements in one transaction. If D1 did not say whether they happened, asks for the statements again and runs
   * them, so running them twice must have the same effect as once.
   */
  readonly run: (statements: () => ReadonlyArray<Statement>) => Effect.Effect<ReadonlyArray<Result>, StoreError>
}

export const make = (db: D1Database): Connection => {
  const once: Connection["once"] = (statements) =>
    Effect.tryPromise({
      try: () => db.batch(statements.map(({ sql, values }) => db.prepare(sql).bind(...values))),
      catch: (error) => toFailure(error) ?? new Mistake({ cause: error })
    }).pipe(
      Effect.catchTag("Mistake", ({ cause }) => Effect.die(cause)),
      Effect.map((results) => results.map(({ meta, results }) => ({ rows: results ?? [], changes: meta.changes ?? 0 })))
    )

  return {
    once,
    run: (statements) => again(Effect.suspend(() => Effect.catchTag(once(statements()), "Changed", Effect.die)))
  }
}

/** How often a batch is repeated if D1 did not say whether it happened. */
export const UNKNOWN_TRIES = 3

/** Repeats an effect that fails with the reason `Unknown`. */
const again = <A>(step: Effect.Effect<A, StoreError>, doubts = 0): Effect.Effect<A, StoreError> =>
  Effect.catchIf(
    step,
    ({ reason }) => reason === "Unknown" && doubts < UNKNOWN_TRIES,
    () => Effect.andThen(pause(doubts + 1), again(step, doubts + 1))
  )

/** Waits a little longer each time. */
export const pause = (doubts: number): Effect.Effect<void> => Effect.sleep(25 * 2 ** doubts)

/** The rows of a statement, typed as its columns. */
export const rowsOf = <Row>(result: Result | undefined): ReadonlyArray<Row> => {
  const rows: ReadonlyArray<unknown> = result?.rows ?? []
  return rows as ReadonlyArray<Row>
}

/**
 * Numbers the parameters. A value that is bound more than once uses only one of the hundred parameters that D1 allows.
 */
export const numbered = ({ text, values }: Sql): Statement => {
  const bound = [...new Set(values)]
  const numbers = new Map(bound.map((value, index) => [value, index + 1]))
  let place = 0
  return { sql: text.replaceAll("?", () => `?${numbers.get(values[place++] ?? "")}`), values: bound }
}
