/**
 * Redactions of records, and the deletion of old ones.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import { ERASED, type Delivery } from "@watchword/store/Delivery"
import { type Redaction, redacted } from "@watchword/store/step"
import { type Forgotten, PURGED, type RetentionStore } from "@watchword/store/Store"
import type { Database } from "better-sqlite3"
import type { Batch } from "./Batch.ts"
import { COLUMNS, type Deliveries, type Row } from "./Deliveries.ts"
import type { Unmatched } from "./Unmatched.ts"

/** Whether a delivery is under way, see `@watchword/store/step`. */
const UNDER_WAY = "(phase < 2 OR due_at IS NOT NULL)"

/** A log that numbers are taken out of. */
interface Log {
  readonly forget: (to: string) => void
}

export const make = (db: Database, deliveries: Deliveries, unmatched: Unmatched, logs: ReadonlyArray<Log>) => {
  const selectBefore = db
    .prepare<[{ before: string; after: string; limit: number }], Row>(
      `SELECT ${COLUMNS} FROM deliveries WHERE id < @before AND id > @after ORDER BY id LIMIT +@limit`
    )
    .raw()
  const selectOld = db
    .prepare<[{ id: string; before: number; limit: number }], Row>(
      `SELECT ${COLUMNS} FROM deliveries
       WHERE id < @id AND NOT ${UNDER_WAY} AND created_at < @before AND status_at < @before ORDER BY id LIMIT +@limit`
    )
    .raw()
  const updatePerson = db.prepare("UPDATE deliveries SET recipient = ?, sender = ?, details = ? WHERE n = ?")
  const deleteNamedRefs = db.prepare("DELETE FROM parts WHERE delivery = ? AND instr(ref, ?)")
  const deleteRefs = db.prepare("DELETE FROM parts WHERE delivery = ?")
  const deleteReports = db.prepare("DELETE FROM part_reports WHERE delivery = ?")
  const deleteRow = db.prepare("DELETE FROM deliveries WHERE n = ?")
  const deleteClaims = db.prepare(
    `DELETE FROM claims WHERE substr(key, -length(@to)) = @to
       AND NOT EXISTS (SELECT 1 FROM deliveries WHERE n = delivery AND ${UNDER_WAY})`
  )
  const deleteSettings = db.prepare("DELETE FROM settings WHERE name IN (SELECT value FROM json_each(?))")
  const raisePurged = db.prepare(
    `INSERT INTO settings (account, name, value) VALUES (0, '${PURGED}', @before)
     ON CONFLICT DO UPDATE SET value = max(CAST(value AS INTEGER), CAST(@before AS INTEGER))`
  )

  const before = ({
    after,
    before,
    limit
  }: Parameters<RetentionStore["deliveriesBefore"]>[0]): ReadonlyArray<Delivery> =>
    selectBefore
      .all({ before: firstUlid(before), after: after ?? "", limit })
      .map((row) => deliveries.decode(row).delivery)

  const redactOne = (redaction: Redaction): boolean => {
    const stored = deliveries.byId(redaction.id)
    if (stored === undefined) return false
    const after = redacted(stored.delivery, redaction)
    if (after === stored.delivery) return false
    updatePerson.run(after.to, after.from, JSON.stringify(after.details), stored.n)
    if (after.to === ERASED) deleteNamedRefs.run(stored.n, stored.delivery.to)
    return true
  }

  const redact = (redactions: ReadonlyArray<Redaction>): number => redactions.filter(redactOne).length

  const forget = ({ settings, to }: Parameters<RetentionStore["forget"]>[0]): Forgotten => {
    for (const log of logs) log.forget(to)
    return {
      claims: deleteClaims.run({ to }).changes,
      reports: unmatched.forget(to),
      settings: deleteSettings.run(JSON.stringify(settings)).changes
    }
  }

  const purge = (batch: Batch, { before, limit }: Parameters<RetentionStore["purge"]>[0]): number => {
    const old = selectOld.all({ id: firstUlid(before), before, limit }).map(deliveries.decode)
    for (const { delivery, n, partition } of old) {
      deleteRefs.run(n)
      deleteReports.run(n)
      deleteRow.run(n)
      batch.count(partition, delivery, null)
    }
    if (old.length > 0) raisePurged.run({ before: String(before) })
    return old.length
  }

  return { before, redact, forget, purge }
}
