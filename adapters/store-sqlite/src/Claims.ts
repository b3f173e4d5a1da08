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

/**
 * Names that deliveries hold. Names come in no order, so that each is written to a page of its own; and what is
 * only ever compared is kept as the half of a SHA-256, so that those pages are few.
 */
export const make = (db: Database) => {
  const selectClaim = db
    .prepare<[number, Buffer, number], readonly [number, Buffer | null, number]>(
      `SELECT delivery, fingerprint, retry_after_rejection FROM claims
       WHERE realm = ? AND key = ? AND expires_at > ?`
    )
    .raw()
  const upsertClaim = db.prepare(
    `INSERT INTO claims (realm, key, delivery, fingerprint, retry_after_rejection, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET delivery = excluded.delivery, fingerprint = excluded.fingerprint,
       retry_after_rejection = excluded.retry_after_rejection, expires_at = excluded.expires_at`
  )
  const insertClaim = db.prepare(
    `INSERT INTO claims (realm, key, delivery, fingerprint, retry_after_rejection, expires_at)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
  )
  const deleteClaim = db.prepare("DELETE FROM claims WHERE realm = ? AND key = ? AND delivery = ?")
  const deleteExpired = db.prepare(
    `DELETE FROM claims WHERE (realm, key) IN
       (SELECT realm, key FROM claims WHERE expires_at < ? ORDER BY expires_at LIMIT ?)`
  )

  const holder = (realm: number, { fingerprint, key }: Name, at: number): Holder | undefined => {
    const row = selectClaim.get(realm, key, at)
    if (row === undefined) return undefined
    const [delivery, held, retry] = row
    const sameFingerprint = held === null || fingerprint === null ? held === fingerprint : held.equals(fingerprint)
    return { delivery, sameFingerprint, retryAfterRejection: retry === 1 }
  }

  const take = (realm: number, { claim, fingerprint, key }: Name, by: number): void => {
    upsertClaim.run(realm, key, by, fingerprint, claim.retryAfterRejection ? 1 : 0, claim.expiresAt)
  }

  /** Takes names that nobody holds; when somebody holds one of them, takes none and answers false. */
  const takeFree = (realm: number, names: ReadonlyArray<Name>, by: number): boolean => {
    const isFree = ({ claim, fingerprint, key }: Name): boolean =>
      insertClaim.run(realm, key, by, fingerprint, claim.retryAfterRejection ? 1 : 0, claim.expiresAt).changes === 1
    if (names.every(isFree)) return true
    for (const { key } of names) deleteClaim.run(realm, key, by)
    return false
  }

  /** Forgets some claims that expired before a time; answers how many. */
  const sweep = (before: number, limit: number): number => deleteExpired.run(before, limit).changes

  return { holder, take, takeFree, sweep }
}

export const nameOf = (claim: Claim): Name => ({
  claim,
  key: digest(claim.key),
  fingerprint: claim.fingerprint === "" ? null : digest(claim.fingerprint)
})

const digest = (text: string): Buffer => hash("sha256", text, "buffer").subarray(0, 16)
