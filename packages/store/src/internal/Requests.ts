/**
 * The requests and answers of a send's steps: `open`, `close` and `report`.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { DeliveryId, ProcessId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Delivery, Details, Phase, Status } from "../Delivery.ts"
import type { Note, Watch } from "../Event.ts"

/**
 * A key that at most one delivery of an account and mode may hold until it expires.
 *
 * `fingerprint` is compared when the key is taken: the same means a repeat, another means a misuse. Before it expires
 * the key passes to a new delivery as `heldUntil` says.
 */
export interface Claim {
  readonly key: string
  readonly fingerprint: string
  readonly heldUntil: HeldUntil
  /** At most a day after the open. */
  readonly expiresAt: number
}

/**
 * The event that ends the hold of a claim's delivery: only the expiry of the claim, the rejection of the delivery, or
 * its end without a price, which is its rejection or its refund.
 */
export type HeldUntil = "expiry" | "rejection" | "end"

export interface Open {
  readonly delivery: Omit<Delivery, "phase" | "named" | "createdAt" | "statusAt" | "dueAt" | "watch"> &
    Partial<Pick<Delivery, "dueAt">>
  readonly claims: ReadonlyArray<Claim>
  /** The process that takes care of the delivery. */
  readonly owner: ProcessId
  /** How the send ends, where no gateway need be asked: the record is closed in the same step. */
  readonly close?: Omit<Close, "id" | "at">
  /** The endpoints that receive events of the delivery and of a low balance; left out for none. */
  readonly watch?: Watch
  /**
   * The record that this one is a part of (its detail `PART_OF` says so), where that is opened too: both are opened in
   * one step, the whole first, or neither is.
   */
  readonly whole?: Open
  readonly at: number
}

export type Opened =
  /**
   * The record is written, its price is held or moved on, the claims are taken. `available` is the rest of the balance.
   */
  | {
      readonly _tag: "Opened"
      readonly delivery: Delivery
      readonly available: MicroEuros
      /** The record of `whole`; null, or left out, for an open without one. */
      readonly whole?: Delivery | null
    }
  /** The open of `whole` is not let through, and why. Nothing changed. */
  | { readonly _tag: "WholeRefused"; readonly by: OpenRefused }
  | OpenRefused

export type OpenRefused =
  /** Another delivery holds `claim`. Nothing changed. */
  | { readonly _tag: "Claimed"; readonly claim: Claim; readonly sameFingerprint: boolean; readonly by: Delivery }
  /** The available balance is smaller than the price. Nothing changed. */
  | { readonly _tag: "Insufficient"; readonly available: MicroEuros }
  /** The account is suspended. Nothing changed. */
  | { readonly _tag: "Suspended" }
  /** No such account. Nothing changed. */
  | { readonly _tag: "NoAccount" }

export interface Close {
  readonly id: DeliveryId
  readonly outcome: Exclude<Phase, "pending">
  readonly status: Status
  /** The gateway's ids, one for each part it took. Receipts for any of them reach this delivery. */
  readonly refs: ReadonlyArray<string>
  /** Merged into the delivery's details. */
  readonly details: Details
  readonly follow?: Follow
  readonly at: number
}

/**
 * Decides how a record follows the change of its part, such as a verification after the receipt of a send: by a report
 * about the record, or not at all (null). The store calls it within the step, perhaps more than once, so it must be
 * quick and pure.
 */
export type Follow = (part: Delivery, whole: Delivery, at: number) => Report | null

/** The fields of a record before a step that statistics count and steps change. */
export type Before = Pick<Delivery, "phase" | "status" | "statusAt" | "details">

export type Closed =
  | {
      readonly _tag: "Closed"
      readonly before: Before
      readonly delivery: Delivery
      readonly available: MicroEuros
      readonly followed?: Followed | null
    }
  /** It was closed already, or was unknown and stays so. Only `refs` that are new were kept. */
  | { readonly _tag: "Unchanged"; readonly before: Before; readonly delivery: Delivery; readonly available: MicroEuros }
  | { readonly _tag: "Missing" }

/** A record that followed the change of its part in the same step; null, or left out, where none did. */
export interface Followed {
  readonly before: Before
  readonly delivery: Delivery
}

/** The subject of a report: a record by its id, or one of its parts by the gateway's id. */
export type Target =
  | { readonly _tag: "Delivery"; readonly id: DeliveryId }
  | {
      readonly _tag: "Part"
      readonly channel: Product
      /** Spellings of the gateway's id, in order of preference. */
      readonly refs: ReadonlyArray<string>
      readonly message: AboutMessage
    }

/**
 * The facts about its message that a report has in addition to the id, null if it has no others. They keep ids apart
 * that only look alike, and find messages whose acceptance was lost in a crash. The report is about, in this order:
 *
 * 1. a delivery that one of the spellings belongs to and that has the very reference;
 * 2. the delivery to this very number with this reference that is open, or is accepted and of several parts that do not
 *    all have a ref, if there is exactly one;
 * 3. the delivery of the preferred spelling, or else of the first other spelling without another reference.
 *
 * It is never about a delivery to a number whose last seven digits differ, unless the delivery's number was erased.
 */
export interface AboutMessage {
  readonly to: string | null
  readonly reference: number | null
}

export interface Report {
  readonly target: Target
  /** Null leaves the status, and its time, as they are. */
  readonly status: Status | null
  /**
   * Values that the record's details must have for the report to take effect, whatever its status; a detail
   * that is absent is null. Empty for always.
   */
  readonly when: Details
  /** Merged into the details when the status moves, or is to be left. */
  readonly details: Details
  /** With `Part`: the status is reached only when every part has reported it. */
  readonly everyPart: boolean
  /**
   * Gives the price back, whatever the status: a delivery that is open or `accepted` becomes `refunded`, and a settled
   * price comes back as a new entry. It happens at most once.
   */
  readonly refund: boolean
  /**
   * With `Delivery`: when the delivery is due next, null for never. It is written when the answer is `Moved`; left out
   * to leave the time as it is.
   */
  readonly dueAt?: number | null
  /**
   * With `Delivery`: sent to the endpoints of a watched delivery if the answer is `Moved`, even if the status stays.
   */
  readonly note?: Note
  readonly follow?: Follow
  readonly at: number
}

export type Reported =
  | {
      readonly _tag: "Moved"
      readonly before: Before
      readonly delivery: Delivery
      readonly followed?: Followed | null
    }
  /**
   * There is nothing to refund, and the status has that rank or a higher one already, `when` is not met, or other
   * parts are still to report.
   */
  | { readonly _tag: "Unchanged"; readonly before: Before; readonly delivery: Delivery }
  /** No such part yet. The report is kept, and replayed when a `close` brings the part's ref. */
  | { readonly _tag: "Unmatched" }
  /** No such delivery. */
  | { readonly _tag: "Missing" }

export interface Sweep {
  readonly at: number
  readonly unmatchedBefore: number
  /** The most unmatched reports that stay of a channel. */
  readonly unmatchedLimit: number
}

export interface Swept {
  /** Unmatched reports beyond the limit, by channel; a channel without any is absent. */
  readonly dropped: ReadonlyMap<Product, number>
}
