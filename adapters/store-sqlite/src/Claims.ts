import type { Claim } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"
import { hash } from "node:crypto"
import type { Intake, Table } from "./Intake.ts"

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

export const TABLE: Table<number, Buffer> = {
  name: "claims",
  columns: ["realm", "key", "delivery", "fingerprint", "retry_after_rejection", "expires_at"],
  // Of bytes that say nothing of the order; a realm's keys are apart as they are.
  hashOf: (realm, key) => Math.imul(realm, 0x9e3779b1) ^ key.readInt32LE(8),
  isSame: ([realm, key], [other, otherKey]) => realm === other && key.equals(otherKey),
  orderOf: (realm, key) => (realm % 2 ** 6) * 2 ** 20 + (key.readUInt32BE() >>> 12)
}

/** Names that deliveries hold. What is only ever compared is kept as the half of a SHA-256. */
export const make = (db: Database, intake: Intake<number, Buffer>) => {
  const isInTable = db.prepare<[number, Buffer], number>("SELECT 1 FROM claims WHERE realm = ? AND key = ?").pluck()
  const columns = "delivery, fingerprint, retry_after_rejection, expires_at"
  const selectFromLog = db.prepare<[number], Row>(`SELECT ${columns} FROM claims_log WHERE seq = ?`).raw()
  const select = db.prepare<[number, Buffer], Row>(`SELECT ${columns} FROM claims WHERE realm = ? AND key = ?`).raw()
  const deleteExpired = db.prepare(
    `DELETE FROM claims WHERE (realm, key) IN
       (SELECT realm, key FROM claims
        WHERE expires_at / 60000 <= @before / 60000 AND expires_at < @before
        ORDER BY expires_at / 60000 LIMIT +@limit)`
  )
  // What is forgotten here goes on into the table all the same, where it may follow another claim of the key.
  const expireInLog = db.prepare(
    `UPDATE claims_log SET expires_at = 0 WHERE seq IN
       (SELECT seq FROM claims_log WHERE expires_at > 0 AND expires_at < @before LIMIT +@limit)`
  )

  const isTaken = (realm: number, { key }: Name): boolean =>
    intake.find(realm, key) !== undefined || isInTable.get(realm, key) !== undefined

  const find = (realm: number, key: Buffer): Row | undefined => {
    const seq = intake.find(realm, key)
    return (seq === undefined ? undefined : selectFromLog.get(seq)) ?? select.get(realm, key)
  }

  const holder = (realm: number, { fingerprint, key }: Name, at: number): Holder | undefined => {
    const row = find(realm, key)
    if (row === undefined) return undefined
    const [delivery, held, retry, expiresAt] = row
    if (expiresAt <= at) return undefined
    const sameFingerprint = held === null || fingerprint === null ? held === fingerprint : held.equals(fingerprint)
    return { delivery, sameFingerprint, retryAfterRejection: retry === 1 }
  }

  const take = (realm: number, { claim, fingerprint, key }: Name, by: number): void => {
    intake.put(realm, key, by, fingerprint, claim.retryAfterRejection ? 1 : 0, claim.expiresAt)
  }

  /** Takes names that nobody has; otherwise takes none and answers false. */
  const takeFree = (realm: number, names: ReadonlyArray<Name>, by: number): boolean => {
    if (names.some((name) => isTaken(realm, name))) return false
    for (const name of names) take(realm, name, by)
    return true
  }

  /** Forgets some claims that expired before a time; answers how many. */
  const sweep = (before: number, limit: number): number => {
    const { changes } = deleteExpired.run({ before, limit })
    // Few have expired in the log, and all of it is looked through: that comes last.
    return changes < limit ? Math.max(changes, expireInLog.run({ before, limit }).changes) : changes
  }

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
