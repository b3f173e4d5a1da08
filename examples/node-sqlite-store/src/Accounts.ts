/**
 * Accounts, their keys, and their ledgers.
 */
import type { AccountId } from "@watchword/schemas/Ids"
import type { Entry, Key } from "@watchword/store/Account"
import { type Adjustment, changed, decide } from "@watchword/store/step"
import type { AccountStore } from "@watchword/store/Store"
import * as Option from "effect/Option"
import { post } from "./Changes.ts"
import type { Database } from "./Database.ts"
import { STATEMENT, type Statement } from "./Snapshot.ts"
import { now, transact } from "./Transaction.ts"

const PLACE = "SELECT n FROM entries WHERE id = ?"
const BEHIND_OLDER = `n > coalesce((${PLACE}), 0) ORDER BY n`
const BEHIND_NEWER = `n < coalesce((${PLACE}), ${Number.MAX_SAFE_INTEGER}) ORDER BY n DESC`

export const accountsOf = (database: Database): AccountStore => {
  const { all, one, run } = database
  const does = transact(database)
  const accountOf = (id: AccountId) => one<Statement>(`SELECT ${STATEMENT} FROM accounts WHERE id = ?`, id)
  const adjust = (kind: "credit" | "debit") => (request: Adjustment) =>
    does(() => {
      const { account, id, reason = null } = request
      const written = one<Entry>("SELECT entry FROM entries WHERE id = ?", id)
      const answer = decide(kind, request, accountOf(account)?.balance, written)
      if (answer._tag === "Adjusted") post(database, { ...request, reason, kind, delivery: null })
      return answer
    })
  return {
    createAccount: (account) =>
      does(() => {
        run("INSERT OR IGNORE INTO accounts (id, account) VALUES (?, ?)", account.id, JSON.stringify(account))
      }),
    account: (id) => does(() => Option.fromUndefinedOr(accountOf(id))),
    accounts: does(() => all<Statement>(`SELECT ${STATEMENT} FROM accounts ORDER BY account ->> 'createdAt', id`)),
    changeAccount: (change) =>
      does(() => {
        const { account: id } = change
        const at = now(database)
        const before = accountOf(id)
        if (before === undefined) return Option.none()
        const account = changed(before.account, change, at)
        const columns = "account = ?, changed_at = max(changed_at, ?)"
        run(`UPDATE accounts SET ${columns} WHERE id = ?`, JSON.stringify(account), at, id)
        return Option.some(account)
      }),
    createKey: (key) =>
      does(() => {
        const { account, hash, id } = key
        if (accountOf(account) === undefined) return false
        const columns = "(id, account, hash, key)"
        run(`INSERT OR IGNORE INTO keys ${columns} VALUES (?, ?, ?, ?)`, id, account, hash, JSON.stringify(key))
        return true
      }),
    keyByHash: (hash) =>
      does(() => {
        const key = one<Key>("SELECT key FROM keys WHERE hash = ?", hash)
        const owner = key && accountOf(key.account)
        return key && owner ? Option.some({ key, account: owner.account }) : Option.none()
      }),
    key: (id) => does(() => Option.fromUndefinedOr(one<Key>("SELECT key FROM keys WHERE id = ?", id))),
    keys: (account) =>
      does(() => all<Key>("SELECT key FROM keys WHERE account = ? ORDER BY key ->> 'createdAt', id", account)),
    expireKey: (id, at) =>
      does(() => {
        const expiry = "json_set(key, '$.expiresAt', min(coalesce(key ->> 'expiresAt', ?), ?))"
        return run(`UPDATE keys SET key = ${expiry} WHERE id = ?`, at, at, id) === 1
      }),
    useKey: (id, at) =>
      does(() => {
        const used = "json_set(key, '$.lastUsedAt', ?)"
        const isDue = "coalesce(key ->> 'lastUsedAt' <= ?, true)"
        run(`UPDATE keys SET key = ${used} WHERE id = ? AND ${isDue}`, at, id, at - 60_000)
      }),
    revokeKey: (id) =>
      does(() => {
        const revoked = "json_set(key, '$.revokedAt', coalesce(key ->> 'revokedAt', ?))"
        return run(`UPDATE keys SET key = ${revoked} WHERE id = ?`, now(database), id) === 1
      }),
    keysChangedWithin: (duration) =>
      does(() => {
        const since = now(database) - duration
        return all<Key["id"]>(
          `SELECT json_quote(id) FROM keys
           WHERE key ->> 'revokedAt' >= ? OR account IN (SELECT id FROM accounts WHERE changed_at >= ?)`,
          since,
          since
        )
      }),
    credit: adjust("credit"),
    debit: adjust("debit"),
    entries: ({ account, after, limit, newestFirst = false }) =>
      does(() =>
        all<Entry>(
          `SELECT entry FROM entries WHERE account = ? AND ${newestFirst ? BEHIND_NEWER : BEHIND_OLDER} LIMIT ?`,
          account,
          after,
          limit
        )
      )
  }
}
