/**
 * The one port to a database.
 *
 * Each verb is atomic by itself: it happens whole or not at all, whatever else happens at the same
 * time, and once it has answered it survives a crash (as far as the manifest says). There is no
 * `transaction(fn)`, because not every database can hold one open across a round trip. The comment of
 * a verb is its contract; `@watchword/store/conformance` checks it.
 *
 * Times are milliseconds since the epoch and always passed in, so that a store has no clock.
 */
import type { Account } from "@watchword/schemas/Account"
import type { Condition } from "@watchword/pagination/Query"
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { AccountId, DeliveryId, EntryId, KeyId, ProcessId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import type { Balance, Entry, Key } from "./Account.ts"
import type { Delivery, Details, Field, Phase, Status } from "./Delivery.ts"
import type { StoreError } from "./StoreError.ts"

/** What a store can do, as the conformance suite reads it. */
export interface Manifest {
  readonly name: string
  /** What was answered survives a crash of the process. */
  readonly durable: boolean
  /** Several processes may use the same data at once: one that serves, and an operator's commands beside it. */
  readonly shared: boolean
  /** Several processes may serve at once. Where only one can, one that begins has followed all before it. */
  readonly cluster: boolean
}

/**
 * A name that at most one delivery of an account and mode may hold until it expires.
 *
 * `fingerprint` is compared when the name is taken: the same means a repeat, another means a misuse.
 * With `retryAfterRejection` the name passes to the new delivery once the old one was rejected.
 */
export interface Claim {
  readonly key: string
  readonly fingerprint: string
  readonly retryAfterRejection: boolean
  readonly expiresAt: number
}

export interface Open {
  readonly delivery: Omit<Delivery, "phase" | "createdAt" | "statusAt">
  readonly claims: ReadonlyArray<Claim>
  /** The process that takes care of the delivery. */
  readonly owner: ProcessId
  /** How the send ends, where nobody need be asked for that: the record is closed in the same step. */
  readonly close?: Omit<Close, "id" | "at">
  readonly at: number
}

export type Opened =
  /** The record is written, its price is held or moved on, the claims are taken. `available` is what is left. */
  | { readonly _tag: "Opened"; readonly delivery: Delivery; readonly available: MicroEuros }
  /** Another delivery holds `claim`. Nothing changed. */
  | { readonly _tag: "Claimed"; readonly claim: Claim; readonly sameFingerprint: boolean; readonly by: Delivery }
  /** The available balance is smaller than the price. Nothing changed. */
  | { readonly _tag: "Insufficient"; readonly available: MicroEuros }
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
  readonly at: number
}

export type Closed =
  | { readonly _tag: "Closed"; readonly delivery: Delivery; readonly available: MicroEuros }
  /** It was closed already, or was unknown and stays so. Only `refs` that are new were kept. */
  | { readonly _tag: "Unchanged"; readonly delivery: Delivery; readonly available: MicroEuros }
  | { readonly _tag: "Missing" }

/** Whom a report is about: a record by its id, or whatever the gateway calls one of its parts. */
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
 * What a report says of the message beside its id, null where it says nothing. It keeps ids apart that
 * only look alike, and finds messages whose acceptance was lost in a crash. Meant is, in this order:
 *
 * 1. a delivery that one of the spellings belongs to and that has the very reference;
 * 2. the open delivery to this very number with this reference, if there is exactly one;
 * 3. the delivery of the preferred spelling, or else of the first other one that has no other reference.
 *
 * A delivery to a number whose last seven digits differ is never meant.
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
   * Gives the price back, whatever the status: a delivery that is open or `accepted` becomes `refunded`, and
   * what was settled comes back as a new entry. It happens at most once.
   */
  readonly refund: boolean
  readonly at: number
}

export type Reported =
  | { readonly _tag: "Moved"; readonly delivery: Delivery }
  /** There is nothing to refund, and the status has that rank or a higher one already, `when` is not met, or other parts are still to report. */
  | { readonly _tag: "Unchanged"; readonly delivery: Delivery }
  /** No such part yet. The report is kept and applied when a `close` brings the part's ref. */
  | { readonly _tag: "Unmatched" }
  /** No such delivery. */
  | { readonly _tag: "Missing" }

export interface Listing {
  readonly account: AccountId
  readonly mode: Mode
  readonly channel: Product
  /** Values of different types are never equal, and never within each other's bounds. */
  readonly where: ReadonlyArray<Condition<Field>>
  /**
   * Ties are ordered by id, in the same direction. Null is less than every value, false and true count as
   * 0 and 1, numbers are less than texts, and texts compare by code points, whatever the language.
   */
  readonly sort: { readonly field: Field; readonly direction: "ASC" | "DESC" }
  readonly offset: number
  readonly limit: number
}

export interface Page {
  /** How many records meet the conditions, exactly. */
  readonly total: number
  readonly rows: ReadonlyArray<Delivery>
}

/** A word to the other processes that serve: about which delivery, and what is to be done. */
export interface Signal {
  readonly topic: string
  readonly delivery: DeliveryId
}

export interface Service {
  readonly manifest: Manifest

  /** Answers when the database does. */
  readonly ping: Effect.Effect<void, StoreError>

  /** Stores an account with an empty balance. Repeating it with the same id changes nothing. */
  readonly createAccount: (account: Account) => Effect.Effect<void, StoreError>

  /** An account with its money. */
  readonly account: (
    id: AccountId
  ) => Effect.Effect<Option.Option<{ readonly account: Account; readonly balance: Balance }>, StoreError>

  /** All accounts with their money, oldest first. */
  readonly accounts: Effect.Effect<ReadonlyArray<{ readonly account: Account; readonly balance: Balance }>, StoreError>

  /** Stores a key. Repeating it with the same id changes nothing. False when the account does not exist. */
  readonly createKey: (key: Key) => Effect.Effect<boolean, StoreError>

  /** The key with this hash and its account; revoked and expired keys too. */
  readonly keyByHash: (
    hash: string
  ) => Effect.Effect<Option.Option<{ readonly key: Key; readonly account: Account }>, StoreError>

  /** The keys of an account, oldest first. */
  readonly keys: (account: AccountId) => Effect.Effect<ReadonlyArray<Key>, StoreError>

  /** Marks a key revoked; the first time counts. False when there is no such key. */
  readonly revokeKey: (id: KeyId, at: number) => Effect.Effect<boolean, StoreError>

  /** Keys revoked at or after a time. Processes that remember keys ask for this every second. */
  readonly revokedSince: (at: number) => Effect.Effect<ReadonlyArray<KeyId>, StoreError>

  /**
   * Adds money to an account's balance as one `credit` entry with this id. Repeating it with the same id
   * changes nothing and answers the balance. `None` when the account does not exist.
   */
  readonly credit: (credit: {
    readonly id: EntryId
    readonly account: AccountId
    /** Positive. */
    readonly amount: MicroEuros
    readonly at: number
  }) => Effect.Effect<Option.Option<Balance>, StoreError>

  /** An account's ledger, oldest first, from the entry behind `after`. */
  readonly entries: (page: {
    readonly account: AccountId
    readonly after: EntryId | null
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Entry>, StoreError>

  /**
   * Begins a send: writes the pending record, takes the hold and the claims, all or nothing.
   *
   * Claims are looked at before money. A claim that has expired at `at` counts as free. A price of zero
   * leaves no ledger entry. Repeating an open with the id of a delivery that exists answers `Opened` with
   * the record as it is.
   *
   * With `close` it is as if a `close` at the same time had followed with nothing in between: the ledger has what
   * both write, and the answer is what is so after both. An open that is not let through closes nothing.
   */
  readonly open: (open: Open) => Effect.Effect<Opened, StoreError>

  /**
   * Ends a send: moves the phase, settles (`accepted`) or releases (`rejected`, `refunded`) the hold or leaves
   * it (`unknown`), and moves the status when its rank is higher than the record's.
   *
   * From `pending` every outcome is possible; from `unknown` all others; those are final. Reports that were kept unmatched under one of `refs` are replayed in the same step, in their order.
   */
  readonly close: (close: Close) => Effect.Effect<Closed, StoreError>

  /**
   * Records what became of a delivery. The status moves when its rank is higher than the record's;
   * otherwise nothing changes, so that repeated, late and out-of-order reports are harmless. A report without
   * a status changes details alone, and is answered `Moved`; with `when`, it does so once.
   *
   * A report about a part proves that the gateway took the message: a `pending` or `unknown` delivery
   * becomes `accepted` and its hold is settled. A report by id moves the status alone. Either becomes
   * `refunded` where the report says so.
   */
  readonly report: (report: Report) => Effect.Effect<Reported, StoreError>

  /** One record of an account, mode and channel. */
  readonly find: (key: {
    readonly account: AccountId
    readonly mode: Mode
    readonly channel: Product
    readonly id: DeliveryId
  }) => Effect.Effect<Option.Option<Delivery>, StoreError>

  /** The delivery that a ref belongs to: of those that were closed with it, the last. */
  readonly findByRef: (key: {
    readonly channel: Product
    readonly ref: string
  }) => Effect.Effect<Option.Option<Delivery>, StoreError>

  /** One page of the records of an account, mode and channel. */
  readonly list: (listing: Listing) => Effect.Effect<Page, StoreError>

  /**
   * Deliveries in a phase that were created before a time, oldest first, in all accounts and modes.
   *
   * With `abandonedAt` only those whose owner is not alive at that time.
   */
  readonly unresolved: (query: {
    readonly phase: "pending" | "unknown"
    readonly createdBefore: number
    readonly abandonedAt: number | null
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Delivery>, StoreError>

  /**
   * Deliveries of a channel whose status has a name and whose owner is not alive at a time, oldest first, in
   * all accounts and modes. Asked now and then: it may take its time, and must not cost sends any.
   */
  readonly abandoned: (query: {
    readonly channel: Product
    readonly status: string
    readonly at: number
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Delivery>, StoreError>

  /**
   * Says that a process lives until a time; said again, the later word counts. A process that has said nothing
   * is not alive.
   *
   * Unless the store is for a cluster, the first word of a process ends the life of all others.
   */
  readonly alive: (lease: {
    readonly process: ProcessId
    readonly at: number
    readonly until: number
  }) => Effect.Effect<void, StoreError>

  /**
   * Tells all processes that listen on the same data, this one perhaps too. Nobody may hear it: whoever
   * signals needs another way to see that nothing came of it. Does nothing unless the store is for a cluster.
   */
  readonly signal: (signal: Signal) => Effect.Effect<void, StoreError>

  /** Gives every later signal to `handle` until the scope closes. */
  readonly signals: (handle: (signal: Signal) => Effect.Effect<void>) => Effect.Effect<void, StoreError, Scope>

  /**
   * Forgets what is no longer needed: claims that expired before `at`, and unmatched reports that were kept
   * `unmatchedBefore`.
   */
  readonly sweep: (before: { readonly at: number; readonly unmatchedBefore: number }) => Effect.Effect<void, StoreError>
}

/** The store that a program works on. */
export class Store extends Context.Service<Store, Service>()("@watchword/store/Store") {}
