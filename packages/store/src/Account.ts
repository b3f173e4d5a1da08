/**
 * The money, the keys and the ledger of an account, and its double-entry bookkeeping as pure functions: what each step
 * does to a balance. Stores that keep balances in memory use them directly; others do the same in SQL.
 */
import type { Mode, Scope } from "@watchword/schemas/Channel"
import type { AccountId, EntryId, DeliveryId, KeyId } from "@watchword/schemas/Ids"
import { difference, type MicroEuros, sum } from "@watchword/schemas/Money"
import * as Option from "effect/Option"

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
  /** Its permissions; null for everything. */
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
  /** Null for credits and debits; and it may be null if the delivery was deleted, see `RetentionStore.purge`. */
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

/** Which way each kind of entry moves money. */
export const directionOf: { readonly [K in EntryKind]: { readonly from: Place; readonly to: Place } } = {
  credit: { from: "funding", to: "available" },
  hold: { from: "available", to: "held" },
  settle: { from: "held", to: "revenue" },
  release: { from: "held", to: "available" },
  refund: { from: "revenue", to: "available" },
  debit: { from: "available", to: "funding" }
}

/** A balance from its two independent figures. */
export const balanceOf = (available: MicroEuros, held: MicroEuros): Balance => ({
  posted: sum(available, held),
  held,
  available
})

const moved = (place: MicroEuros, name: Place, kind: EntryKind, amount: MicroEuros): MicroEuros => {
  const { from, to } = directionOf[kind]
  return name === from ? difference(place, amount) : name === to ? sum(place, amount) : place
}

/**
 * The balance after an entry, or none when it would take more than there is.
 *
 * @example
 * ```ts
 * import * as Money from "@watchword/schemas/Money"
 * import { balanceOf, posted } from "@watchword/store/Account"
 *
 * const empty = balanceOf(Money.zero, Money.zero)
 * posted(empty, "hold", Money.MicroEuros.make(50_000)) // Option.none()
 * ```
 */
export const posted = (before: Balance, kind: EntryKind, amount: MicroEuros): Option.Option<Balance> => {
  const available = moved(before.available, "available", kind, amount)
  const held = moved(before.held, "held", kind, amount)
  return available < 0 || held < 0 ? Option.none() : Option.some(balanceOf(available, held))
}
