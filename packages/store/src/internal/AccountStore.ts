/**
 * The part of the port that keeps accounts: their keys, their money, and the entries of their ledgers.
 */
import type { Account } from "@watchword/schemas/Account"
import type { AccountId, EntryId, KeyId } from "@watchword/schemas/Ids"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Balance, Entry, Key } from "../Account.ts"
import type { AccountChange } from "../step/AccountChanges.ts"
import type { Adjusted, Adjustment } from "../step/Adjustments.ts"
import type { StoreError } from "../StoreError.ts"

/** A page of a ledger. */
export interface EntryPage {
  readonly account: AccountId
  readonly after: EntryId | null
  readonly limit: number
  /** False unless given. */
  readonly newestFirst?: boolean
}

export interface AccountStore {
  /** Stores an account with an empty balance. Repeating it with the same id changes nothing. */
  readonly createAccount: (account: Account) => Effect.Effect<void, StoreError>

  /** An account with its money. */
  readonly account: (
    id: AccountId
  ) => Effect.Effect<Option.Option<{ readonly account: Account; readonly balance: Balance }>, StoreError>

  /** All accounts with their money, oldest first. */
  readonly accounts: Effect.Effect<ReadonlyArray<{ readonly account: Account; readonly balance: Balance }>, StoreError>

  /**
   * Changes an account, at the time of the store's clock, and answers it as it is then; none when it does not exist.
   * Later opens of a suspended account are not let through.
   */
  readonly changeAccount: (change: AccountChange) => Effect.Effect<Option.Option<Account>, StoreError>

  /** Stores a key. Repeating it with the same id changes nothing. False when the account does not exist. */
  readonly createKey: (key: Key) => Effect.Effect<boolean, StoreError>

  /** The key with this hash and its account; revoked and expired keys too. */
  readonly keyByHash: (
    hash: string
  ) => Effect.Effect<Option.Option<{ readonly key: Key; readonly account: Account }>, StoreError>

  /** The key with this id. */
  readonly key: (id: KeyId) => Effect.Effect<Option.Option<Key>, StoreError>

  /** The keys of an account, oldest first. */
  readonly keys: (account: AccountId) => Effect.Effect<ReadonlyArray<Key>, StoreError>

  /** Lets a key expire at a time, unless it expires sooner. Returns `false` if there is no such key. */
  readonly expireKey: (id: KeyId, at: number) => Effect.Effect<boolean, StoreError>

  /** Notes when a key was used, unless its last use was noted less than a minute before. */
  readonly useKey: (id: KeyId, at: number) => Effect.Effect<void, StoreError>

  /** Revokes a key at the time of the store's clock; the first time counts. Returns `false` if there is no such key. */
  readonly revokeKey: (id: KeyId) => Effect.Effect<boolean, StoreError>

  /**
   * Keys that were revoked, or whose account was changed, within so many milliseconds until now, by the store's clock.
   * Processes that cache keys with their accounts ask for this every second.
   */
  readonly keysChangedWithin: (duration: number) => Effect.Effect<ReadonlyArray<KeyId>, StoreError>

  /** Adds money to an account's balance as one `credit` entry with this id. Repeating it changes nothing. */
  readonly credit: (credit: Adjustment) => Effect.Effect<Adjusted, StoreError>

  /**
   * Takes money from an account's available balance as one `debit` entry with this id. Repeating it changes nothing.
   */
  readonly debit: (debit: Adjustment) => Effect.Effect<Adjusted, StoreError>

  /** An account's ledger, oldest first unless `newestFirst`, from the entry behind `after` in this order. */
  readonly entries: (page: EntryPage) => Effect.Effect<ReadonlyArray<Entry>, StoreError>
}
