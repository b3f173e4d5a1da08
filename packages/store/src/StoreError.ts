/**
 * The error of stores.
 */
import * as Schema from "effect/Schema"

/**
 * The failure of a store.
 *
 * - `Unavailable`: the step did not happen and may be tried again.
 * - `Unknown`: the connection was lost after the step was written; it may have happened. Every method may
 *   be repeated with the same identifiers and then happens at most once.
 * - `TimeLimit`: a list took longer than the store's limit. The same list within a shorter time may be answered.
 * - `TooManyLists`: the account waits for as many slow lists as one account may. Once they are answered, the same list
 *   may be.
 * - `Broken`: the step did not happen, and none will before the process has started again.
 *
 * `message` is for operators; it never holds a phone number, a text or a secret.
 */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  reason: Schema.Literals(["Unavailable", "Unknown", "TimeLimit", "TooManyLists", "Broken"]),
  message: Schema.String
}) {}
