/**
 * Accounts with their money, and their keys.
 */
import type { Account } from "@watchword/schemas/Account"
import type { Scope } from "@watchword/schemas/Channel"
import type { AccountId, KeyId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import type { Balance, Key } from "@watchword/store/Account"
import * as Postings from "@watchword/store/Postings"
import type { Database } from "better-sqlite3"
import type { AccountNumbers } from "./AccountNumbers.ts"
import { modeCode, modeOf } from "./Drawers.ts"

interface AccountRow {
  readonly id: AccountId
  readonly name: string
  readonly caller: string | null
  readonly sms_sender: string | null
  readonly sender_username: string | null
  readonly min_ring: number
  readonly max_ring: number
  readonly store_text: number
  readonly created_at: number
  readonly available: MicroEuros
  readonly held: MicroEuros
}

interface KeyRow {
  readonly id: KeyId
  readonly account: number
  readonly mode: number
  readonly hash: string
  readonly prefix: string
  readonly last_four: string
  readonly scopes: string | null
  readonly allow: string
  readonly expires_at: number | null
  readonly created_at: number
  readonly revoked_at: number | null
}

export const make = (db: Database, numbers: AccountNumbers) => {
  const insertAccount = db.prepare(
    `INSERT INTO accounts
       (id, name, caller, sms_sender, sender_username, min_ring, max_ring, store_text, created_at, available, held, entries)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0) ON CONFLICT (id) DO NOTHING`
  )
  const selectAccount = db.prepare<[AccountId], AccountRow>("SELECT * FROM accounts WHERE id = ?")
  const selectAccounts = db.prepare<[], AccountRow>("SELECT * FROM accounts ORDER BY created_at, id")
  const insertKey = db.prepare(
    `INSERT INTO keys
       (id, account, mode, hash, prefix, last_four, scopes, allow, expires_at, created_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`
  )
  const selectKeyByHash = db.prepare<[string], KeyRow>("SELECT * FROM keys WHERE hash = ?")
  const selectKeys = db.prepare<[number], KeyRow>("SELECT * FROM keys WHERE account = ? ORDER BY created_at, id")
  const updateRevoked = db.prepare("UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?")
  const selectRevoked = db.prepare<[number], KeyId>("SELECT id FROM keys WHERE revoked_at >= ?").pluck()

  const decodeKey = (row: KeyRow): Key => ({
    id: row.id,
    account: numbers.idOf(row.account),
    mode: modeOf(row.mode),
    hash: row.hash,
    prefix: row.prefix,
    lastFour: row.last_four,
    scopes: row.scopes === null ? null : decodeScopes(row.scopes),
    allow: decodeTexts(row.allow),
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    revokedAt: row.revoked_at
  })

  const create = (account: Account): void => {
    insertAccount.run(
      account.id,
      account.name,
      account.caller,
      account.smsSender,
      account.senderUsername,
      account.minRing,
      account.maxRing,
      account.storeText ? 1 : 0,
      account.createdAt
    )
  }

  const find = (id: AccountId) => {
    const row = selectAccount.get(id)
    return row === undefined ? undefined : statement(row)
  }

  const list = () => selectAccounts.all().map(statement)

  const createKey = (key: Key): boolean => {
    const account = numbers.numberOf(key.account)
    if (account === undefined) return false
    insertKey.run(
      key.id,
      account,
      modeCode(key.mode),
      key.hash,
      key.prefix,
      key.lastFour,
      key.scopes === null ? null : JSON.stringify(key.scopes),
      JSON.stringify(key.allow),
      key.expiresAt,
      key.createdAt,
      key.revokedAt
    )
    return true
  }

  const keyByHash = (hash: string) => {
    const row = selectKeyByHash.get(hash)
    const owner = row && selectAccount.get(numbers.idOf(row.account))
    return row && owner ? { key: decodeKey(row), account: decodeAccount(owner) } : undefined
  }

  const keys = (id: AccountId): ReadonlyArray<Key> => {
    const account = numbers.numberOf(id)
    return account === undefined ? [] : selectKeys.all(account).map(decodeKey)
  }

  const revokeKey = (id: KeyId, at: number): boolean => updateRevoked.run(at, id).changes === 1

  const revokedSince = (at: number): ReadonlyArray<KeyId> => selectRevoked.all(at)

  return { create, find, list, createKey, keyByHash, keys, revokeKey, revokedSince }
}

const statement = (row: AccountRow): { readonly account: Account; readonly balance: Balance } => ({
  account: decodeAccount(row),
  balance: Postings.balance(row.available, row.held)
})

const decodeAccount = (row: AccountRow): Account => ({
  id: row.id,
  name: row.name,
  caller: row.caller,
  smsSender: row.sms_sender,
  senderUsername: row.sender_username,
  minRing: row.min_ring,
  maxRing: row.max_ring,
  storeText: row.store_text === 1,
  createdAt: row.created_at
})

const decodeTexts = (json: string): ReadonlyArray<string> => JSON.parse(json)

const decodeScopes = (json: string): ReadonlyArray<Scope> => JSON.parse(json)
