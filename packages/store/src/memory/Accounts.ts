import type { Account } from "@watchword/schemas/Account"
import { type AccountId, type DeliveryId, type EntryId, type KeyId, nextEntryId } from "@watchword/schemas/Ids"
import { type MicroEuros, zero } from "@watchword/schemas/Money"
import * as Option from "effect/Option"
import type { Balance, Entry, EntryKind, Key } from "../Account.ts"
import * as Postings from "../Postings.ts"

interface Row {
  readonly account: Account
  balance: Balance
  readonly entries: Array<Entry>
}

/** Accounts with their money and their keys. */
export const make = () => {
  const rows = new Map<AccountId, Row>()
  const keys = new Map<KeyId, Key>()
  const credits = new Set<EntryId>()

  const create = (account: Account): void => {
    if (!rows.has(account.id)) rows.set(account.id, { account, balance: Postings.balance(zero, zero), entries: [] })
  }

  const find = (id: AccountId) => Option.map(Option.fromUndefinedOr(rows.get(id)), statement)

  const list = () => [...rows.values()].map(statement).sort((a, b) => a.account.createdAt - b.account.createdAt)

  /** What an account has left; nothing where there is no account. */
  const available = (id: AccountId): MicroEuros => rows.get(id)?.balance.available ?? zero

  /**
   * Moves money and writes the entry. False when there is not enough, or no account. Nothing is written
   * about nothing.
   */
  const post = (posting: {
    readonly id?: EntryId
    readonly account: AccountId
    readonly kind: EntryKind
    readonly amount: MicroEuros
    readonly delivery: DeliveryId | null
    readonly at: number
  }): boolean => {
    const { account, amount, at, delivery, id = nextEntryId(at), kind } = posting
    const row = rows.get(account)
    if (row === undefined) return false
    if (amount === 0) return true
    const after = Postings.post(row.balance, kind, amount)
    if (Option.isNone(after)) return false
    row.balance = after.value
    row.entries.push({ id, account, delivery, kind, ...Postings.direction[kind], amount, at })
    return true
  }

  const credit = (credit: {
    readonly id: EntryId
    readonly account: AccountId
    readonly amount: MicroEuros
    readonly at: number
  }): Option.Option<Balance> => {
    const row = rows.get(credit.account)
    if (row === undefined) return Option.none()
    if (!credits.has(credit.id)) post({ ...credit, kind: "credit", delivery: null })
    credits.add(credit.id)
    return Option.some(row.balance)
  }

  const entries = (account: AccountId, after: EntryId | null, limit: number): ReadonlyArray<Entry> => {
    const all = rows.get(account)?.entries ?? []
    const start = after === null ? 0 : all.findIndex((entry) => entry.id === after) + 1
    return all.slice(start, start + limit)
  }

  const createKey = (key: Key): boolean => {
    if (!rows.has(key.account)) return false
    if (!keys.has(key.id)) keys.set(key.id, key)
    return true
  }

  const keyByHash = (hash: string) => {
    const key = [...keys.values()].find((candidate) => candidate.hash === hash)
    const row = key && rows.get(key.account)
    return key && row ? Option.some({ key, account: row.account }) : Option.none()
  }

  const keysOf = (account: AccountId): ReadonlyArray<Key> =>
    [...keys.values()].filter((key) => key.account === account).sort((a, b) => a.createdAt - b.createdAt)

  const revokeKey = (id: KeyId, at: number): boolean => {
    const key = keys.get(id)
    if (key === undefined) return false
    keys.set(id, { ...key, revokedAt: key.revokedAt ?? at })
    return true
  }

  const revokedSince = (at: number): ReadonlyArray<KeyId> =>
    [...keys.values()].filter(({ revokedAt }) => revokedAt !== null && revokedAt >= at).map(({ id }) => id)

  return { create, find, list, available, post, credit, entries, createKey, keyByHash, keysOf, revokeKey, revokedSince }
}

const statement = ({ account, balance }: Row) => ({ account, balance })
