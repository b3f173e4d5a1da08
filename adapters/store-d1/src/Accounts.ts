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
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Connection, NOW, type Value, rowsOf } from "./Connection.ts"

interface OwnedKeyRow extends KeyRow {
  readonly account: AccountId
}

/** A key `k`, and the id of its account. */
const KEY = `k.id, k.mode, k.hash, k.prefix, k.last_four, k.scopes, k.allow, k.expires_at, k.created_at, k.revoked_at, k.last_used_at,
  (SELECT id FROM accounts WHERE n = k.account) AS account`

export const make = (connection: Connection) => {
  const run = (sql: string, ...values: ReadonlyArray<Value>) =>
    Effect.map(
      connection.run(() => [{ sql, values }]),
      ([result]) => result
    )
  const select = <Row>(sql: string, ...values: ReadonlyArray<Value>) => Effect.map(run(sql, ...values), rowsOf<Row>)

  const create = (account: Account) =>
    Effect.asVoid(
      run(
        `INSERT INTO accounts (id, name, caller, sms_sender, sender_username, min_ring, max_ring, store_text, originators,
           suspended_at, created_at, available, held, entries)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0, 0, 0) ON CONFLICT (id) DO NOTHING`,
        ...encodeAccount(account)
      )
    )

  const find = (id: AccountId) =>
    Effect.map(select<AccountRow>("SELECT * FROM accounts WHERE id = ?1", id), ([row]) =>
      row === undefined ? Option.none() : Option.some(accountStatement(row))
    )

  const list = Effect.map(select<AccountRow>("SELECT * FROM accounts ORDER BY created_at, id"), (rows) =>
    rows.map(accountStatement)
  )

  const change = (change: AccountChange) =>
    Effect.map(select<AccountRow>(changeAccount(NOW), ...encodeAccountChange(change)), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), decodeAccount)
    )

  const createKey = (key: Key) =>
    Effect.map(
      connection.run(() => [
        {
          sql: `INSERT INTO keys
              (id, mode, hash, prefix, last_four, scopes, allow, expires_at, created_at, revoked_at, last_used_at, account)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, n FROM accounts WHERE id = ?12 ON CONFLICT (id) DO NOTHING`,
          values: [...encodeKey(key), key.account]
        },
        { sql: "SELECT 1 FROM accounts WHERE id = ?1", values: [key.account] }
      ]),
      ([, account]) => rowsOf(account).length === 1
    )

  const keyByHash = (hash: string) =>
    Effect.map(
      connection.run(() => [
        { sql: `SELECT ${KEY} FROM keys k WHERE k.hash = ?1`, values: [hash] },
        { sql: "SELECT * FROM accounts WHERE n = (SELECT account FROM keys WHERE hash = ?1)", values: [hash] }
      ]),
      ([keys, accounts]) => {
        const [key] = rowsOf<OwnedKeyRow>(keys)
        const [account] = rowsOf<AccountRow>(accounts)
        return key === undefined || account === undefined
          ? Option.none()
          : Option.some({ key: decodeKey(key, account.id), account: decodeAccount(account) })
      }
    )

  const key = (id: KeyId) =>
    Effect.map(select<OwnedKeyRow>(`SELECT ${KEY} FROM keys k WHERE k.id = ?1`, id), ([row]) =>
      row === undefined ? Option.none() : Option.some(decodeKey(row, row.account))
    )

  const keys = (account: AccountId) =>
    Effect.map(
      select<OwnedKeyRow>(
        `SELECT ${KEY} FROM keys k WHERE k.account = (SELECT n FROM accounts WHERE id = ?1) ORDER BY k.created_at, k.id`,
        account
      ),
      (rows) => rows.map((row) => decodeKey(row, row.account))
    )

  const expireKey = (id: KeyId, at: number) =>
    Effect.map(
      select("UPDATE keys SET expires_at = min(coalesce(expires_at, ?1), ?1) WHERE id = ?2 RETURNING id", at, id),
      ({ length }) => length === 1
    )

  const useKey = (id: KeyId, at: number) =>
    Effect.asVoid(
      run(
        `UPDATE keys SET last_used_at = ?1 WHERE id = ?2 AND coalesce(last_used_at <= ?1 - ${USE_EVERY}, true)`,
        at,
        id
      )
    )

  const revokeKey = (id: KeyId) =>
    Effect.map(
      select(`UPDATE keys SET revoked_at = coalesce(revoked_at, ${NOW}) WHERE id = ?1 RETURNING id`, id),
      ({ length }) => length === 1
    )

  const keysChangedWithin = (duration: number) =>
    Effect.map(
      select<{ readonly id: KeyId }>(
        `SELECT id FROM keys WHERE revoked_at >= ${NOW} - ?1
         UNION SELECT k.id FROM accounts a CROSS JOIN keys k ON k.account = a.n WHERE a.changed_at >= ${NOW} - ?1`,
        duration
      ),
      (rows) => rows.map(({ id }) => id)
    )

  return {
    create,
    find,
    list,
    change,
    createKey,
    keyByHash,
    key,
    keys,
    expireKey,
    useKey,
    revokeKey,
    keysChangedWithin
  }
}
