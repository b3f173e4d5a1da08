import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Claim } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"

export interface Holder {
  readonly delivery: DeliveryId
  readonly fingerprint: string
  readonly retryAfterRejection: boolean
}

export type Claims = ReturnType<typeof make>

/** Names that deliveries hold. */
export const make = (db: Database) => {
  const selectClaim = db
    .prepare<[number, string, number], readonly [DeliveryId, string, number]>(
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
  const deleteExpired = db.prepare(
    `DELETE FROM claims WHERE (realm, key) IN
       (SELECT realm, key FROM claims WHERE expires_at < ? ORDER BY expires_at LIMIT ?)`
  )

  const holder = (realm: number, { key }: Claim, at: number): Holder | undefined => {
    const row = selectClaim.get(realm, key, at)
    if (row === undefined) return undefined
    const [delivery, fingerprint, retry] = row
    return { delivery, fingerprint, retryAfterRejection: retry === 1 }
  }

  const take = (realm: number, { expiresAt, fingerprint, key, retryAfterRejection }: Claim, by: DeliveryId): void => {
    upsertClaim.run(realm, key, by, fingerprint, retryAfterRejection ? 1 : 0, expiresAt)
  }

  /** Forgets some claims that expired before a time; answers how many. */
  const sweep = (before: number, limit: number): number => deleteExpired.run(before, limit).changes

  return { holder, take, sweep }
}
