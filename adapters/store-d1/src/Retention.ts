/**
 * Redactions of records, and the deletion of old records. D1 gives no access to its file, so only Cloudflare can
 * reclaim the space.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import { ERASED } from "@watchword/store/Delivery"
import type { Redaction } from "@watchword/store/step"
import { PURGED, type RetentionStore } from "@watchword/store/Store"
import { type Partitions, WIDTH } from "@watchword/store/sql"
import * as Effect from "effect/Effect"
import { type Connection, type Statement, type Value, rowsOf } from "./Connection.ts"
import * as OperatorLog from "./OperatorLog.ts"
import * as Refused from "./Refused.ts"
import { DELIVERIES, RECORD, parse } from "./Records.ts"

/** Whether a delivery is under way, see `@watchword/store/step`. */
const UNDER_WAY = "(phase < 2 OR due_at IS NOT NULL)"

export const make = (connection: Connection, partitions: Partitions): RetentionStore => ({
  deliveriesBefore: ({ after, before, limit }) =>
    Effect.map(
      connection.run(() => [
        {
          sql: `SELECT ${RECORD} AS record FROM ${DELIVERIES} WHERE d.id < ?1 AND d.id > ?2 ORDER BY d.id LIMIT ?3`,
          values: [firstUlid(before), after ?? "", limit]
        }
      ]),
      ([result]) => rowsOf<{ readonly record: string }>(result).map(({ record }) => parse(partitions, record))
    ),

  redact: Effect.fnUntraced(function* (redactions) {
    if (redactions.length === 0) return 0
    const groups = [...Map.groupBy(redactions, shapeOf).values()]
    const results = yield* connection.run(() => groups.flatMap(redaction))
    return results.reduce((sum, result) => sum + rowsOf(result).length, 0)
  }),

  forget: ({ settings, to }) =>
    Effect.map(
      connection.run(() => [
        {
          sql: `DELETE FROM claims WHERE substr(key, -length(?1)) = ?1
            AND NOT EXISTS (SELECT 1 FROM deliveries WHERE id = delivery AND ${UNDER_WAY}) RETURNING 1`,
          values: [to]
        },
        {
          sql: `DELETE FROM unmatched_refs WHERE report IN (SELECT n FROM unmatched_reports WHERE recipient = ?1)`,
          values: [to]
        },
        { sql: "DELETE FROM unmatched_reports WHERE recipient = ?1 RETURNING 1", values: [to] },
        {
          sql: "DELETE FROM settings WHERE name IN (SELECT value FROM json_each(?1)) RETURNING 1",
          values: [JSON.stringify(settings)]
        },
        OperatorLog.forget(to),
        Refused.forget(to)
      ]),
      ([claims, , reports, removed]) => ({
        claims: rowsOf(claims).length,
        reports: rowsOf(reports).length,
        settings: rowsOf(removed).length
      })
    ),

  purge: ({ before, limit }) =>
    Effect.map(
      connection.run(() => purge([firstUlid(before), before, limit])),
      (results) => rowsOf(results.at(-1)).length
    ),

  reclaim: () => Effect.succeed(true)
})

/** Redactions of the same shape share a statement. */
const shapeOf = ({ details, from, to }: Redaction): string => JSON.stringify([from, to, details])

/** Redactions that differ only in their ids; the last statement returns a row for each record that it changes. */
const redaction = (alike: ReadonlyArray<Redaction>): ReadonlyArray<Statement> => {
  const [first] = alike
  if (first === undefined) return []
  const ids = JSON.stringify(alike.map(({ id }) => id))
  const names = Object.entries(first.details)
  const places = names.map((_, index) => `, ?${2 * index + 4}, json(?${2 * index + 5})`).join("")
  const details = names.length === 0 ? "details" : `json_replace(details${places})`
  const values: ReadonlyArray<Value> = [
    ids,
    first.to ? 1 : 0,
    first.from ? 1 : 0,
    ...names.flatMap(([name, value]) => [`$.${JSON.stringify(name)}`, JSON.stringify(value)])
  ]
  const unnamed: Statement = {
    sql: `DELETE FROM parts WHERE (channel, ref) IN (
      SELECT p.channel, p.ref FROM json_each(?1) w CROSS JOIN deliveries d ON d.id = w.value
      CROSS JOIN parts p ON p.delivery = d.id WHERE NOT ${UNDER_WAY} AND instr(p.ref, d.recipient))`,
    values: [ids]
  }
  return [
    ...(first.to ? [unnamed] : []),
    {
      sql: `UPDATE deliveries SET recipient = iif(?2, '${ERASED}', recipient), sender = iif(?3, NULL, sender),
          details = ${details}
        WHERE id IN (SELECT value FROM json_each(?1)) AND NOT ${UNDER_WAY}
          AND (?2 AND recipient <> '${ERASED}' OR ?3 AND sender IS NOT NULL OR details <> ${details}) RETURNING 1`,
      values
    }
  ]
}

/** The records to delete: `?1` is the first id to keep, `?2` the time, `?3` the limit. */
const OLD = `SELECT id, partition, listed_at, status FROM deliveries
  WHERE id < ?1 AND NOT ${UNDER_WAY} AND created_at < ?2 AND status_at < ?2 ORDER BY id LIMIT ?3`

/** The last statement returns a row for each record. */
const purge = (values: ReadonlyArray<Value>): ReadonlyArray<Statement> => [
  {
    sql: `INSERT INTO settings (account, name, value)
      SELECT 0, '${PURGED}', CAST(CAST(?2 AS INTEGER) AS TEXT) WHERE EXISTS (SELECT 1 FROM (${OLD}))
      ON CONFLICT (account, name) DO UPDATE
      SET value = CAST(max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER)) AS TEXT)`,
    values
  },
  { sql: `DELETE FROM parts WHERE delivery IN (SELECT id FROM (${OLD}))`, values },
  { sql: `DELETE FROM part_reports WHERE delivery IN (SELECT id FROM (${OLD}))`, values },
  {
    sql: `INSERT INTO counts (partition, bucket, status, n)
      SELECT partition, listed_at / ${WIDTH}, status, -count(*) FROM (${OLD}) GROUP BY 1, 2, 3
      ON CONFLICT (partition, bucket, status) DO UPDATE SET n = n + excluded.n`,
    values
  },
  { sql: "DELETE FROM counts WHERE n = 0", values: [] },
  { sql: `DELETE FROM deliveries WHERE id IN (SELECT id FROM (${OLD})) RETURNING 1`, values }
]
