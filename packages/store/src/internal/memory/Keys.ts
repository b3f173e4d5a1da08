import type { AccountId, KeyId } from "@watchword/schemas/Ids"
import { type Key, USE_EVERY } from "../../Account.ts"

/** API keys by their ids. */
export const make = () => {
  const keys = new Map<KeyId, Key>()

  const create = (key: Key): void => {
    if (!keys.has(key.id)) keys.set(key.id, key)
  }

  const byHash = (hash: string): Key | undefined => [...keys.values()].find((key) => key.hash === hash)

  const of = (account: AccountId): ReadonlyArray<Key> =>
    [...keys.values()].filter((key) => key.account === account).sort((a, b) => a.createdAt - b.createdAt)

  const revoke = (id: KeyId, at: number): boolean => {
    const key = keys.get(id)
    if (key === undefined) return false
    keys.set(id, { ...key, revokedAt: key.revokedAt ?? at })
    return true
  }

  const find = (id: KeyId): Key | undefined => keys.get(id)

  const expire = (id: KeyId, at: number): boolean => {
    const key = keys.get(id)
    if (key === undefined) return false
    keys.set(id, { ...key, expiresAt: Math.min(key.expiresAt ?? at, at) })
    return true
  }

  const use = (id: KeyId, at: number): void => {
    const key = keys.get(id)
    if (key === undefined || (key.lastUsedAt !== null && at - key.lastUsedAt < USE_EVERY)) return
    keys.set(id, { ...key, lastUsedAt: at })
  }

  /** @param accounts that were changed since then */
  const changedSince = (at: number, accounts: ReadonlySet<AccountId>): ReadonlyArray<KeyId> =>
    [...keys.values()]
      .filter(({ account, revokedAt }) => (revokedAt !== null && revokedAt >= at) || accounts.has(account))
      .map(({ id }) => id)

  return { create, byHash, find, of, expire, use, revoke, changedSince }
}
