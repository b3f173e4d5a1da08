/**
 * The part of the port that forgets: it takes persons out of records, and deletes records that are old.
 *
 * Money stays: entries of ledgers are never edited or deleted, and neither is a record whose outcome is open or that is
 * due, see `@watchword/store/step`.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import type * as Effect from "effect/Effect"
import type { Delivery } from "../Delivery.ts"
import type { Redaction } from "../step/Redaction.ts"
import type { StoreError } from "../StoreError.ts"

export interface Forgotten {
  readonly claims: number
  /** Unmatched reports. */
  readonly reports: number
  readonly settings: number
}

/**
 * How thoroughly space is returned:
 *
 * | what | cost | deleted values are afterwards |
 * |---|---|---|
 * | `some` | a few milliseconds | perhaps still in the files |
 * | `all` | sends continue meanwhile | in no row or log that the database reads |
 * | `rewrite` | sends wait, as long as the database takes to copy itself | not in the files of the tables |
 */
export type Reclaim = "some" | "all" | "rewrite"

/**
 * The name of the installation's setting that has the time before which records were deleted, in milliseconds since the
 * epoch. What names an older record may lack it.
 */
export const PURGED = "purged-before"

/** Replaces an erased number in the operators' log and in the log of refused requests. */
export const FORGOTTEN = "erased"

export interface RetentionStore {
  /**
   * Deliveries whose ids are of a time before `before` and greater than `after`, in the order of ids, of all accounts
   * and modes.
   */
  readonly deliveriesBefore: (query: {
    readonly before: number
    readonly after: DeliveryId | null
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Delivery>, StoreError>

  /**
   * Removes personal data from records, at most 500, as `Redaction.redacted` does; records in flight stay as they are.
   * Where a number goes, the refs of its record that have the number in them go too. Answers how many records it
   * changed. No event tells of it.
   */
  readonly redact: (redactions: ReadonlyArray<Redaction>) => Effect.Effect<number, StoreError>

  /**
   * Deletes data under a number other than records: claims whose keys end in it, except for deliveries in flight;
   * unmatched reports about it; and the settings of some names, of all accounts and of the installation. In the inputs
   * and outputs in the operators' log {@link FORGOTTEN} takes its place, and in the log of refused requests the place
   * of its masked form, which other numbers may share. Looks at all claims: only operators ask for it.
   */
  readonly forget: (query: {
    readonly to: string
    readonly settings: ReadonlyArray<string>
  }) => Effect.Effect<Forgotten, StoreError>

  /**
   * Deletes records that are not under way, whose ids are of a time before `before`, and whose status has not moved
   * since, the oldest first; with their refs, and at most `limit`. Answers how many. {@link PURGED} is raised in the
   * same step. `before` lies more than a day back: no claim of such a record is valid.
   *
   * Entries keep their amounts. Their delivery may be null from then on.
   */
  readonly purge: (query: { readonly before: number; readonly limit: number }) => Effect.Effect<number, StoreError>

  /**
   * Gives the space of deleted values back. Returns `false` if a reader kept the database from it, so that it is to be
   * asked again. A store whose host does this by itself answers true.
   */
  readonly reclaim: (what: Reclaim) => Effect.Effect<boolean, StoreError>
}
