import type { Claim } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"
import { hash } from "node:crypto"

/** A claim as it is written. */
export interface Name {
  readonly claim: Claim
  readonly key: Buffer
  readonly fingerprint: Buffer | null
}

export interface Holder {
  /** The number of the delivery that holds the name. */
  readonly delivery: number
  readonly sameFingerprint: boolean
  readonly retryAfterRejection: boolean
}

export type Claims = ReturnType<typeof make>

/** Names that deliveries hold. What is only ever compared is kept as the half of a SHA-256. */
export const make = (db: Database) => {
  const select = db
    .prepare<[number, Buffer], Row>(
      "SELECT delivery, fingerprint, retry_after_rejection, expires_at FROM claims WHERE realm = ? AND key = ?"
    )
    .raw()
  const columns = "(realm, key, delivery, fingerprint, retry_after_rejection, expires_at)"
  const insertNew = db.prepare(`INSERT INTO claims ${columns} VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
  const insertOrReplace = db.prepare(`INSERT OR REPLACE INTO claims ${columns} VALUES (?, ?, ?, ?, ?, ?)`)
  const deleteOne = db.prepare("DELETE FROM claims WHERE realm = ? AND key = ?")
  const deleteExpired = db.prepare(
    `DELETE FROM claims WHERE (realm, key) IN
       (SELECT realm, key FROM claims WHERE expires_at < @before ORDER BY expires_at LIMIT +@limit)`
  )

  const holder = (realm: number, { fingerprint, key }: Name, at: number): Holder | undefined => {
    const row = select.get(realm, key)
    if (row === undefined) return undefined
    const [delivery, held, retry, expiresAt] = row
    if (expiresAt <= at) return undefined
    const sameFingerprint = held === null || fingerprint === null ? held === fingerprint : held.equals(fingerprint)
    return { delivery, sameFingerprint, retryAfterRejection: retry === 1 }
  }

  const rowOf = (realm: number, { claim, fingerprint, key }: Name, by: number) =>
    [realm, key, by, fingerprint, claim.retryAfterRejection ? 1 : 0, claim.expiresAt] as const

  /** Takes a name from the delivery that holds it, if one does. */
  const take = (realm: number, name: Name, by: number): void => {
    insertOrReplace.run(...rowOf(realm, name, by))
  }

  /** Takes names that no delivery holds; otherwise takes none and answers false. */
  const takeFree = (realm: number, names: ReadonlyArray<Name>, by: number): boolean => {
    const taken = names.findIndex((name) => insertNew.run(...rowOf(realm, name, by)).changes === 0)
    if (taken < 0) return true
    for (const { key } of names.slice(0, taken)) deleteOne.run(realm, key)
    return false
  }

  /** Deletes some claims that expired before a time; answers how many. */
  const sweep = (before: number, limit: number): number => deleteExpired.run({ before, limit }).changes

  return { holder, take, takeFree, sweep }
}

type Row = readonly [delivery: number, fingerprint: Buffer | null, retryAfterRejection: number, expiresAt: number]

export const nameOf = (claim: Claim): Name => ({
  claim,
  key: digest(claim.key),
  fingerprint: claim.fingerprint === "" ? null : digest(claim.fingerprint)
})

// By way of a text, because a digest as a buffer lies outside of the heap, for twice the time.
const digest = (text: string): Buffer => Buffer.from(hash("sha256", text, "binary").slice(0, 16), "latin1")
