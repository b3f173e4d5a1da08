import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Claim } from "@watchword/store/Store"
import type { HeldClaim } from "@watchword/store/step"
import { heldUntilCode, heldUntilOf } from "@watchword/store/sql"
import type { Database } from "better-sqlite3"

export type Claims = ReturnType<typeof make>

/** Claims by their tenants and keys. */
export const make = (db: Database) => {
  // The plus signs hide the parameters from SQLite's planner, which would plan a join again for each value.
  const select = db
    .prepare<[number, string], Row>(
      `SELECT id, fingerprint, held_until, expires_at FROM claims CROSS JOIN deliveries ON n = delivery
       WHERE tenant = +? AND key = +?`
    )
    .raw()
  const insertOrReplace = db.prepare(
    `INSERT OR REPLACE INTO claims (tenant, key, delivery, fingerprint, held_until, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`
  )
  const deleteExpired = db.prepare(
    `DELETE FROM claims WHERE (tenant, key) IN
       (SELECT tenant, key FROM claims WHERE expires_at < @before ORDER BY expires_at LIMIT +@limit)`
  )

  const find = (tenant: number, key: string): HeldClaim | undefined => {
    const row = select.get(tenant, key)
    if (row === undefined) return undefined
    const [delivery, fingerprint, heldUntil, expiresAt] = row
    return { key, delivery, fingerprint, heldUntil: heldUntilOf(heldUntil), expiresAt }
  }

  /** Gives a claim to a delivery, whichever has it now. */
  const take = (tenant: number, claim: Claim, delivery: number): void => {
    const { expiresAt, fingerprint, heldUntil, key } = claim
    insertOrReplace.run(tenant, key, delivery, fingerprint, heldUntilCode(heldUntil), expiresAt)
  }

  /** Deletes some claims that expired before a time; answers how many. */
  const sweep = (before: number, limit: number): number => deleteExpired.run({ before, limit }).changes

  return { find, take, sweep }
}

type Row = readonly [delivery: DeliveryId, fingerprint: string, heldUntil: number, expiresAt: number]
