/**
 * Accounts with their money, and their keys.
 */
import { type Account, type Originators, anyOriginators } from "@watchword/schemas/Account"
import type { Scope } from "@watchword/schemas/Channel"
import type { AccountId, KeyId } from "@watchword/schemas/Ids"
import type { MicroEuros } from "@watchword/schemas/Money"
import { type Balance, type Key, USE_EVERY, balanceOf } from "@watchword/store/Account"
import { decide } from "@watchword/store/step"
import { kindCode, kindOf, modeCode, modeOf } from "@watchword/store/sql"
import type { Service } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Connections } from "./Connections.ts"
import { json, writable } from "./Rows.ts"
import { NOW } from "./sql/shape.ts"

const ACCOUNT = `a.id, a.name, a.caller, a.sms_sender, a.sender_username, a.min_ring, a.max_ring, a.store_text,
  a.originators, a.suspended_at, a.created_at, a.available, a.held`

type AccountRow = [
  id: AccountId,
  name: string,
  caller: string | null,
  smsSender: string | null,
  senderUsername: string | null,
  minRing: number,
  maxRing: number,
  storeText: boolean,
  originators: Partial<Originators>,
  suspendedAt: number | null,
  createdAt: number,
  available: MicroEuros,
  held: MicroEuros
]

const KEY = `k.id, k.mode, k.hash, k.prefix, k.last_four, k.scopes, k.allow, k.expires_at, k.created_at, k.revoked_at,
  k.last_used_at`

type KeyRow = [
  id: KeyId,
  mode: number,
  hash: string,
  prefix: string,
  lastFour: string,
  scopes: ReadonlyArray<Scope> | null,
  allow: ReadonlyArray<string>,
  expiresAt: number | null,
  createdAt: number,
  revokedAt: number | null,
  lastUsedAt: number | null
]

type Verbs = Pick<
  Service,
  | "createAccount"
  | "account"
  | "accounts"
  | "changeAccount"
  | "createKey"
  | "keyByHash"
  | "key"
  | "keys"
  | "expireKey"
  | "useKey"
  | "revokeKey"
  | "keysChangedWithin"
  | "credit"
  | "debit"
>

export const make = ({ ask }: Connections, s: string): Verbs => ({
  createAccount: (account) =>
    Effect.asVoid(
      ask(
        `INSERT INTO ${s}.accounts
           (id, name, caller, sms_sender, sender_username, min_ring, max_ring, store_text, originators,
            suspended_at, created_at, available, held, entries)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0, 0) ON CONFLICT (id) DO NOTHING`,
        [
          account.id,
          writable(account.name),
          account.caller,
          account.smsSender,
          account.senderUsername,
          account.minRing,
          account.maxRing,
          account.storeText,
          json(account.originators),
          account.suspendedAt,
          account.createdAt
        ]
      )
    ),

  account: (id) =>
    Effect.map(ask<AccountRow>(`SELECT ${ACCOUNT} FROM ${s}.accounts a WHERE a.id = $1`, [id]), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), statement)
    ),

  accounts: Effect.map(
    ask<AccountRow>(`SELECT ${ACCOUNT} FROM ${s}.accounts a ORDER BY a.created_at, a.id`, []),
    (rows) => rows.map(statement)
  ),

  changeAccount: ({ account, originators = {}, suspended = null }) =>
    Effect.map(
      ask<AccountRow>(
        `UPDATE ${s}.accounts a SET
           suspended_at = CASE $2::boolean
             WHEN true THEN coalesce(suspended_at, ${NOW}) WHEN false THEN NULL ELSE suspended_at
           END,
           originators = originators || $3, changed_at = greatest(changed_at, ${NOW})
         WHERE id = $1 RETURNING ${ACCOUNT}`,
        [account, suspended, json(originators)]
      ),
      ([row]) => Option.map(Option.fromUndefinedOr(row), (found) => statement(found).account)
    ),

  createKey: (key) =>
    Effect.map(
      ask(
        `WITH owner AS (
           SELECT n FROM ${s}.accounts WHERE id = $2
         ), made AS (
           INSERT INTO ${s}.keys
             (id, account, mode, hash, prefix, last_four, scopes, allow, expires_at, created_at, revoked_at, last_used_at)
           SELECT $1, n, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 FROM owner ON CONFLICT (id) DO NOTHING
         )
         SELECT n FROM owner`,
        [
          key.id,
          key.account,
          modeCode(key.mode),
          key.hash,
          key.prefix,
          key.lastFour,
          key.scopes === null ? null : json(key.scopes),
          json(key.allow),
          key.expiresAt,
          key.createdAt,
          key.revokedAt,
          key.lastUsedAt
        ]
      ),
      ({ length }) => length === 1
    ),

  keyByHash: (hash) =>
    Effect.map(
      ask<[...KeyRow, ...AccountRow]>(
        `SELECT ${KEY}, ${ACCOUNT} FROM ${s}.keys k JOIN ${s}.accounts a ON a.n = k.account WHERE k.hash = $1`,
        [hash]
      ),
      ([row]) => Option.map(Option.fromUndefinedOr(row), keyWithAccount)
    ),

  key: (id) =>
    Effect.map(
      ask<[account: AccountId, ...KeyRow]>(
        `SELECT a.id, ${KEY} FROM ${s}.keys k JOIN ${s}.accounts a ON a.n = k.account WHERE k.id = $1`,
        [id]
      ),
      ([row]) => Option.map(Option.fromUndefinedOr(row), ([account, ...key]) => decodeKey(account, key))
    ),

  keys: (account) =>
    Effect.map(
      ask<KeyRow>(
        `SELECT ${KEY} FROM ${s}.keys k JOIN ${s}.accounts a ON a.n = k.account
         WHERE a.id = $1 ORDER BY k.created_at, k.id`,
        [account]
      ),
      (rows) => rows.map((row) => decodeKey(account, row))
    ),

  expireKey: (id, at) =>
    Effect.map(
      ask(`UPDATE ${s}.keys SET expires_at = least(expires_at, $2) WHERE id = $1 RETURNING id`, [id, at]),
      ({ length }) => length === 1
    ),

  useKey: (id, at) =>
    Effect.asVoid(
      ask(
        `UPDATE ${s}.keys SET last_used_at = $2
         WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $2::bigint - ${USE_EVERY})`,
        [id, at]
      )
    ),

  revokeKey: (id) =>
    Effect.map(
      ask(`UPDATE ${s}.keys SET revoked_at = coalesce(revoked_at, ${NOW}) WHERE id = $1 RETURNING id`, [id]),
      ({ length }) => length === 1
    ),

  keysChangedWithin: (duration) =>
    Effect.map(
      ask<[id: KeyId]>(
        `SELECT id FROM ${s}.keys WHERE revoked_at >= ${NOW} - $1::bigint
         UNION SELECT k.id FROM ${s}.accounts a JOIN ${s}.keys k ON k.account = a.n
         WHERE a.changed_at >= ${NOW} - $1::bigint`,
        [duration]
      ),
      (rows) => rows.map(([id]) => id)
    ),

  credit: adjust("credit", ask, s),
  debit: adjust("debit", ask, s)
})

const adjust =
  (kind: "credit" | "debit", ask: Connections["ask"], s: string): Service["credit"] =>
  (request) => {
    const { account, amount, at, id, reason = null } = request
    const change = kind === "credit" ? amount : -amount
    const given = [kindCode(kind), writable(id), account, amount, change, reason === null ? null : writable(reason), at]
    return Effect.map(ask<[AdjustedRow]>(`SELECT ${s}.adjust($1, $2, $3, $4, $5, $6, $7)`, given), ([answer]) => {
      const [before, written] = answer?.[0] ?? [null, null]
      return decide(kind, request, before === null ? undefined : decodeBalance(before), writtenOf(written))
    })
  }

type AdjustedRow = readonly [before: BalanceRow | null, written: WrittenRow | null]
type WrittenRow = readonly [account: AccountId, kind: number, amount: MicroEuros]

const writtenOf = (row: WrittenRow | null) =>
  row === null ? undefined : { account: row[0], kind: kindOf(row[1]), amount: row[2] }

type BalanceRow = [available: MicroEuros, held: MicroEuros]

const decodeBalance = ([available, held]: BalanceRow): Balance => balanceOf(available, held)

const statement = (row: AccountRow): { readonly account: Account; readonly balance: Balance } => {
  const [id, name, caller, smsSender, senderUsername, minRing, maxRing, storeText, originators, ...rest] = row
  const [suspendedAt, createdAt, available, held] = rest
  return {
    account: {
      id,
      name,
      caller,
      smsSender,
      senderUsername,
      minRing,
      maxRing,
      storeText,
      originators: { ...anyOriginators, ...originators },
      suspendedAt,
      createdAt
    },
    balance: balanceOf(available, held)
  }
}

const keyWithAccount = (row: [...KeyRow, ...AccountRow]): { readonly key: Key; readonly account: Account } => {
  const [id, mode, hash, prefix, lastFour, scopes, allow, expiresAt, createdAt, revokedAt, lastUsedAt, ...owner] = row
  const { account } = statement(owner)
  const key: KeyRow = [id, mode, hash, prefix, lastFour, scopes, allow, expiresAt, createdAt, revokedAt, lastUsedAt]
  return { key: decodeKey(account.id, key), account }
}

const decodeKey = (account: AccountId, row: KeyRow): Key => {
  const [id, mode, hash, prefix, lastFour, scopes, allow, expiresAt, createdAt, revokedAt, lastUsedAt] = row
  const times = { expiresAt, createdAt, revokedAt, lastUsedAt }
  return { id, account, mode: modeOf(mode), hash, prefix, lastFour, scopes, allow, ...times }
}
