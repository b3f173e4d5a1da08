/**
 * Persons taken out of records, and old records deleted.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import { masked } from "@watchword/schemas/PhoneNumber"
import type { Delivery } from "@watchword/store/Delivery"
import { FORGOTTEN, PURGED, type RetentionStore } from "@watchword/store/Store"
import { type HeldClaim, type Redaction, isPurgeable, isUnderWay, redacted } from "@watchword/store/step"
import * as Effect from "effect/Effect"
import type { Database } from "./Database.ts"
import { transact } from "./Transaction.ts"

export const retentionOf = (database: Database): RetentionStore => {
  const { all, one, run } = database
  const does = transact(database)
  const recordOf = (id: string) => one<Delivery>("SELECT record FROM deliveries WHERE id = ?", id)
  const redact = (redaction: Redaction): boolean => {
    const before = recordOf(redaction.id)
    const after = before && redacted(before, redaction)
    if (before === undefined || after === before) return false
    run("UPDATE deliveries SET record = ? WHERE id = ?", JSON.stringify(after), before.id)
    if (redaction.to) run("DELETE FROM parts WHERE part ->> 'delivery' = ? AND instr(ref, ?)", before.id, before.to)
    return true
  }
  const isDone = ({ delivery }: HeldClaim): boolean => {
    const by = recordOf(delivery)
    return by === undefined || !isUnderWay(by)
  }
  return {
    deliveriesBefore: ({ after, before, limit }) =>
      does(() =>
        all<Delivery>(
          "SELECT record FROM deliveries WHERE id < ? AND id > ? ORDER BY id LIMIT ?",
          firstUlid(before),
          after ?? "",
          limit
        )
      ),
    redact: (redactions) => does(() => redactions.filter(redact).length),
    forget: ({ settings, to }) =>
      does(() => {
        const claims = all<HeldClaim>("SELECT claim FROM claims WHERE substr(key, -length(?)) = ?", to, to).filter(
          isDone
        )
        for (const { delivery, key } of claims) {
          run("DELETE FROM claims WHERE key = ? AND claim ->> 'delivery' = ?", key, delivery)
        }
        run("UPDATE operator_log SET entry = replace(entry, ?, ?) WHERE instr(entry, ?)", to, FORGOTTEN, to)
        run(
          "UPDATE refused_requests SET request = json_set(request, '$.number', ?) WHERE request ->> 'number' = ?",
          FORGOTTEN,
          masked(to)
        )
        return {
          claims: claims.length,
          reports: run("DELETE FROM unmatched WHERE report ->> '$.target.message.to' = ?", to),
          settings: run("DELETE FROM settings WHERE name IN (SELECT value FROM json_each(?))", JSON.stringify(settings))
        }
      }),
    purge: ({ before, limit }) =>
      does(() => {
        const old = all<Delivery>("SELECT record FROM deliveries WHERE id < ? ORDER BY id", firstUlid(before))
          .filter((delivery) => isPurgeable(delivery, before))
          .slice(0, limit)
        for (const { id } of old) {
          run("DELETE FROM parts WHERE part ->> 'delivery' = ?", id)
          run("DELETE FROM part_reports WHERE delivery = ?", id)
          run("DELETE FROM deliveries WHERE id = ?", id)
        }
        if (old.length > 0) {
          run(
            `INSERT INTO settings (owner, name, value) VALUES ('', ?, ?)
             ON CONFLICT DO UPDATE SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))`,
            PURGED,
            String(before)
          )
        }
        return old.length
      }),
    reclaim: () => Effect.succeed(true)
  }
}
