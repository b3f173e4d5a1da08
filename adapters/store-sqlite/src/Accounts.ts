/**
 * Accounts with their money, and their keys.
 */
import type { Account } from "@watchword/schemas/Account"
import type { AccountId, KeyId } from "@watchword/schemas/Ids"
import { type Key, USE_EVERY } from "@watchword/store/Account"
import type { AccountChange } from "@watchword/store/step"
import {
  type AccountRow,
  type KeyRow,
  accountStatement,
  changeAccount,
  decodeAccount,
  decodeKey,
  encodeAccount,
  encodeAccountChange,
  encodeKey
} from "@watchword/store/sql"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"

interface OwnedKeyRow extends KeyRow {
  readonly account: number
}

export const make = (db: Database, numbers: AccountNumbers) => {
  const insertAccount = db.prepare(
    `INSERT INTO accounts
       (id, name, caller, sms_sender, sender_username, min_ring, max_ring, store_text, originators, suspended_at,
        created_at, available, held, entries)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0) ON CONFLICT (id) DO NOTHING`
  )
  const updateAccount = db.prepare<[...ReturnType<typeof encodeAccountChange>, now: number], AccountRow>(
    changeAccount("?")
  )
  const selectAccount = db.prepare<[AccountId], AccountRow>("SELECT * FROM accounts WHERE id = ?")
  const selectAccounts = db.prepare<[], AccountRow>("SELECT * FROM accounts ORDER BY created_at, id")
  const insertKey = db.prepare(
    `INSERT INTO keys
       (account, id, mode, hash, prefix, last_four, scopes, allow, expires_at, created_at, revoked_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`
  )
  const selectKeyByHash = db.prepare<[string], OwnedKeyRow>("SELECT * FROM keys WHERE hash = ?")
  const selectKey = db.prepare<[KeyId], OwnedKeyRow>("SELECT * FROM keys WHERE id = ?")
  const selectKeys = db.prepare<[number], OwnedKeyRow>("SELECT * FROM keys WHERE account = +? ORDER BY created_at, id")
  const updateExpiry = db.prepare<{ id: KeyId; at: number }>(
    "UPDATE keys SET expires_at = min(coalesce(expires_at, @at), @at) WHERE id = @id"
  )
  const updateUse = db.prepare<{ id: KeyId; at: number }>(
    `UPDATE keys SET last_used_at = @at WHERE id = @id AND coalesce(last_used_at <= @at - ${USE_EVERY}, true)`
  )
  const updateRevoked = db.prepare("UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?")
  const selectChanged = db
    .prepare<[{ at: number }], KeyId>(
      `SELECT id FROM keys WHERE revoked_at >= @at
       UNION SELECT k.id FROM accounts a CROSS JOIN keys k ON k.account = a.n WHERE a.changed_at >= @at`
    )
    .pluck()

  const decode = (row: OwnedKeyRow): Key => decodeKey(row, numbers.idOf(row.account))

  const create = (account: Account): void => {
    insertAccount.run(...encodeAccount(account))
  }

  const find = (id: AccountId) => {
    const row = selectAccount.get(id)
    return row === undefined ? undefined : accountStatement(row)
  }

  const change = (change: AccountChange, now: number): Account | undefined => {
    const row = updateAccount.get(...encodeAccountChange(change), now)
    return row && decodeAccount(row)
  }

  const list = () => selectAccounts.all().map(accountStatement)

  const createKey = (key: Key): boolean => {
    const account = numbers.numberOf(key.account)
    if (account === undefined) return false
    insertKey.run(account, ...encodeKey(key))
    return true
  }

  const keyByHash = (hash: string) => {
    const row = selectKeyByHash.get(hash)
    const owner = row && selectAccount.get(numbers.idOf(row.account))
    return row && owner ? { key: decode(row), account: decodeAccount(owner) } : undefined
  }

  const key = (id: KeyId): Key | undefined => {
    const row = selectKey.get(id)
    return row && decode(row)
  }

  const keys = (id: AccountId): ReadonlyArray<Key> => {
    const account = numbers.numberOf(id)
    return account === undefined ? [] : selectKeys.all(account).map(decode)
  }

  const expireKey = (id: KeyId, at: number): boolean => updateExpiry.run({ id, at }).changes === 1

  const useKey = (id: KeyId, at: number): void => {
    updateUse.run({ id, at })
  }

  const revokeKey = (id: KeyId, now: number): boolean => updateRevoked.run(now, id).changes === 1

  const keysChangedSince = (at: number): ReadonlyArray<KeyId> => selectChanged.all({ at })

  return { create, find, list, change, createKey, keyByHash, key, keys, expireKey, useKey, revokeKey, keysChangedSince }
}
