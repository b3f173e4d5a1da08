/**
 * Rows of accounts and keys, and their decoding.
 */
import { type Account, type Originators, anyOriginators } from "@watchword/schemas/Account"
import type { Scope } from "@watchword/schemas/Channel"
import type { AccountId, KeyId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import { type Balance, type Key, balanceOf } from "../Account.ts"
import type { AccountChange } from "../step/AccountChanges.ts"
import { modeCode, modeOf } from "./Partitions.ts"

export interface AccountRow {
  readonly id: AccountId
  readonly name: string
  readonly caller: string | null
  readonly sms_sender: string | null
  readonly sender_username: string | null
  readonly min_ring: number
  readonly max_ring: number
  readonly store_text: number
  readonly originators: string
  readonly suspended_at: number | null
  readonly created_at: number
  readonly available: MicroEuros
  readonly held: MicroEuros
}

export interface KeyRow {
  readonly id: KeyId
  readonly mode: number
  readonly hash: string
  readonly prefix: string
  readonly last_four: string
  readonly scopes: string | null
  readonly allow: string
  readonly expires_at: number | null
  readonly created_at: number
  readonly revoked_at: number | null
  readonly last_used_at: number | null
}

/** An account with its money. */
export const accountStatement = (row: AccountRow): { readonly account: Account; readonly balance: Balance } => ({
  account: decodeAccount(row),
  balance: balanceOf(row.available, row.held)
})

export const decodeAccount = (row: AccountRow): Account => ({
  id: row.id,
  name: row.name,
  caller: row.caller,
  smsSender: row.sms_sender,
  senderUsername: row.sender_username,
  minRing: row.min_ring,
  maxRing: row.max_ring,
  storeText: row.store_text === 1,
  originators: { ...anyOriginators, ...decodeOriginators(row.originators) },
  suspendedAt: row.suspended_at,
  createdAt: row.created_at
})

/** The values of an account's columns from `id` to `created_at`, without its money. */
export const encodeAccount = (account: Account) =>
  [
    account.id,
    account.name,
    account.caller,
    account.smsSender,
    account.senderUsername,
    account.minRing,
    account.maxRing,
    account.storeText ? 1 : 0,
    JSON.stringify(account.originators),
    account.suspendedAt,
    account.createdAt
  ] as const

/**
 * Changes an account in SQLite's dialect at the time that the expression `now` gives, and answers its row. The values
 * are {@link encodeAccountChange}'s, followed by the values in `now`.
 */
export const changeAccount = (now: string) => `UPDATE accounts SET
  suspended_at = CASE c.suspended WHEN 1 THEN coalesce(suspended_at, c.at) WHEN 0 THEN NULL ELSE suspended_at END,
  originators = json_patch(originators, c.lists), changed_at = max(coalesce(changed_at, c.at), c.at)
  FROM (SELECT ? AS suspended, ? AS lists, ? AS account, ${now} AS at) c WHERE id = c.account RETURNING *`

export const encodeAccountChange = ({ account, originators = {}, suspended }: AccountChange) =>
  [suspended === undefined ? null : suspended ? 1 : 0, JSON.stringify(originators), account] as const

export const decodeKey = (row: KeyRow, account: AccountId): Key => ({
  id: row.id,
  account,
  mode: modeOf(row.mode),
  hash: row.hash,
  prefix: row.prefix,
  lastFour: row.last_four,
  scopes: row.scopes === null ? null : decodeScopes(row.scopes),
  allow: decodeTexts(row.allow),
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at
})

/** The values of a key's columns from `id` to `last_used_at`, without its account. */
export const encodeKey = (key: Key) =>
  [
    key.id,
    modeCode(key.mode),
    key.hash,
    key.prefix,
    key.lastFour,
    key.scopes === null ? null : JSON.stringify(key.scopes),
    JSON.stringify(key.allow),
    key.expiresAt,
    key.createdAt,
    key.revokedAt,
    key.lastUsedAt
  ] as const

// A list that was removed may be absent.
const decodeOriginators = (json: string): Partial<Originators> => JSON.parse(json)

const decodeTexts = (json: string): ReadonlyArray<string> => JSON.parse(json)

const decodeScopes = (json: string): ReadonlyArray<Scope> => JSON.parse(json)
