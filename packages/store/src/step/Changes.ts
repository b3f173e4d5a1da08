/**
 * The changes that a step makes, for a store to apply in the transaction in which it read the snapshot.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import type { EntryKind } from "../Account.ts"
import type { Delivery } from "../Delivery.ts"
import type { Event } from "../Event.ts"
import type { Claim } from "../internal/Requests.ts"
import type { Part, PartReport, Unmatched } from "./Snapshot.ts"

export interface Changes {
  /** New records, in the order in which they are opened. */
  readonly opened: ReadonlyArray<NewRecord>
  /**
   * Records that were there, before and after. They differ in `phase`, `named`, `status`, `statusAt`, `dueAt`,
   * `details` or `watch`.
   */
  readonly updated: ReadonlyArray<{ readonly before: Delivery; readonly after: Delivery }>
  /** Entries of the ledger, in their order. */
  readonly postings: ReadonlyArray<Posting>
  /** Refs that belong to a part from now on, whatever they belonged to before. */
  readonly parts: ReadonlyArray<NamedPart>
  /** Statuses that parts have reported for the first time. */
  readonly reported: ReadonlyArray<PartStatus>
  /** Statuses that all parts of a delivery have reported: who reported them is not asked again. */
  readonly complete: ReadonlyArray<Omit<PartStatus, "part">>
  /** A report that no delivery matches: it is kept under each of its refs. */
  readonly unmatched: PartReport | null
  /** Reports that were kept and are applied now: they are removed. */
  readonly replayed: ReadonlyArray<Unmatched>
  /** Events of the step, each due from its time on. */
  readonly events: ReadonlyArray<Event>
}

/** A new record as the step leaves it, with its owner and the claims that it takes from now on. */
export interface NewRecord {
  readonly delivery: Delivery
  readonly owner: ProcessId
  readonly claims: ReadonlyArray<Claim>
}

/** One movement of a delivery's price, which is more than zero. */
export interface Posting {
  readonly delivery: Delivery
  readonly kind: EntryKind
  readonly at: number
}

export interface NamedPart extends Part {
  readonly channel: Product
  readonly ref: string
}

export interface PartStatus {
  readonly delivery: DeliveryId
  readonly status: string
  /** The name of the part. */
  readonly part: string
}

/** The changes of a step that makes none. */
export const noChanges: Changes = {
  opened: [],
  updated: [],
  postings: [],
  parts: [],
  reported: [],
  complete: [],
  unmatched: null,
  replayed: [],
  events: []
}

export const changesNothing = (changes: Changes): boolean =>
  changes.opened.length === 0 &&
  changes.updated.length === 0 &&
  changes.parts.length === 0 &&
  changes.reported.length === 0 &&
  changes.unmatched === null &&
  changes.replayed.length === 0
