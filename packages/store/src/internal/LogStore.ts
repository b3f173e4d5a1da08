/**
 * The part of the port that keeps the operators' log: their changes, and who ran them.
 */
import type * as Effect from "effect/Effect"
import type { StoreError } from "../StoreError.ts"

/** One command of an operator. */
export interface LogEntry {
  /** A ULID, of the time at which it began. */
  readonly id: string
  readonly who: string
  /** The face of the command: `api`, `console`, `command` or `program`. */
  readonly by: string
  /** Its words, such as `guard block`. */
  readonly command: string
  /** A JSON text without secrets. */
  readonly input: string
  /** `done`, or the code of an error; null while it runs, and where its process ended before it did. */
  readonly outcome: string | null
  /**
   * A JSON text without secrets: in `identity` the operator, whose name others may have too, in `before` the values
   * that the command changed, and the plain values of its output.
   */
  readonly output: string | null
}

export interface LogStore {
  /** Keeps an entry that begins. One whose id is there already stays as it is. */
  readonly beginLogEntry: (entry: LogEntry) => Effect.Effect<void, StoreError>

  /** Notes how an entry has ended, where it is there. */
  readonly endLogEntry: (end: Pick<LogEntry, "id" | "outcome" | "output">) => Effect.Effect<void, StoreError>

  /**
   * Entries of a time of at least `since`, whose ids are less than `before` where that is not null; the newest first.
   */
  readonly logEntries: (query: {
    readonly since: number
    readonly before: string | null
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<LogEntry>, StoreError>

  /** Deletes entries of a time before `before`, the oldest first, and at most `limit`. Answers how many. */
  readonly pruneLogEntries: (query: {
    readonly before: number
    readonly limit: number
  }) => Effect.Effect<number, StoreError>
}
