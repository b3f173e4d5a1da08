/**
 * Errors of D1, and their meaning for a step. D1 distinguishes them only by their messages.
 *
 * Source: https://developers.cloudflare.com/d1/observability/debug-d1/
 */
import { StoreError } from "@watchword/store/StoreError"
import * as Data from "effect/Data"

/** The facts of a step have changed since they were read, or the money is gone. Nothing happened. */
export class Changed extends Data.TaggedError("Changed")<{}> {}

/** An error of a statement that no circumstances can explain: a mistake in this program. */
export class Mistake extends Data.TaggedError("Mistake")<{ readonly cause: unknown }> {}

/** The constraints that a step violates if its facts have changed, see schema.ts. */
const CHANGED = /CHECK constraint failed: (if_unchanged|enough_available|enough_held)/

/** The failure of a batch, or null if it is a mistake in this program. */
export const toFailure = (error: unknown): Changed | StoreError | null => {
  const message = error instanceof Error ? error.message : String(error)
  if (CHANGED.test(message)) return new Changed()
  const known = circumstances.find(([stem]) => stem.test(message))
  if (known !== undefined) {
    const [, reason, words] = known
    return new StoreError({ reason, message: `The database did not answer: ${words}.` })
  }
  if (MISTAKES.test(message)) return null
  return new StoreError({ reason: "Unknown", message: "The database did not answer: D1 failed." })
}

const circumstances: ReadonlyArray<readonly [RegExp, StoreError["reason"], string]> = [
  [/no such table/, "Unavailable", "its tables are not there; apply the migrations of @watchword/store-d1"],
  [/D1 DB is overloaded/, "Unavailable", "D1 has more to do than it can"],
  [/Exceeded maximum DB size|database or disk is full/, "Unavailable", "the database is full"],
  [/Too many API requests|too many subrequests/i, "Unavailable", "the invocation has used up its queries"]
]

const MISTAKES =
  /SQLITE_(ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG|AUTH)|D1_TYPE_ERROR|D1_COLUMN_NOTFOUND|too many SQL variables/
