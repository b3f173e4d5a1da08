/**
 * The money, the keys and the ledger of an account.
 */
import type { Mode, Scope } from "@watchword/schemas/Channel"
import type { AccountId, EntryId, DeliveryId, KeyId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"

/**
 * An account's money. `posted` is the sum of credits less that of debits and settlements; `held` is promised to sends
 * whose outcome is open; `available` is the difference, never below zero.
 */
export interface Balance {
  readonly posted: MicroEuros
  readonly held: MicroEuros
  readonly available: MicroEuros
}

/** In milliseconds: how far the noted uses of a key are apart. */
export const USE_EVERY = 60_000

/** An API key without its secret. */
export interface Key {
  readonly id: KeyId
  readonly account: AccountId
  readonly mode: Mode
  /** SHA-256 of the whole key, lower-case hexadecimal. */
  readonly hash: string
  /** `sk_live_` or `sk_test_`, by which people recognise it. */
  readonly prefix: string
  readonly lastFour: string
  /** What it may do; null for everything. */
  readonly scopes: ReadonlyArray<Scope> | null
  /** Addresses and CIDR ranges it may be used from; empty for anywhere. */
  readonly allow: ReadonlyArray<string>
  readonly expiresAt: number | null
  readonly createdAt: number
  readonly revokedAt: number | null
  /** The last use that was noted, see `useKey`. */
  readonly lastUsedAt: number | null
}

/** Where money can be. `funding` and `revenue` are the world outside the account. */
export type Place = "funding" | "available" | "held" | "revenue"

export type EntryKind = "credit" | "hold" | "settle" | "release" | "refund" | "debit"

/**
 * One movement of money: `amount` leaves `from` and reaches `to`. Because each entry names both sides,
 * the sum over all places is zero at every moment. Entries are never edited or deleted.
 */
export interface Entry {
  readonly id: EntryId
  readonly account: AccountId
  /** Null for credits and debits; and it may be null where the delivery was deleted, see `RetentionStore.purge`. */
  readonly delivery: DeliveryId | null
  readonly kind: EntryKind
  readonly from: Place
  readonly to: Place
  /** Positive. */
  readonly amount: MicroEuros
  /** The reason of a credit or a debit, where its operator gave one. */
  readonly reason: string | null
  readonly at: number
}
