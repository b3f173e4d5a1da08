import type { Product } from "@watchword/schemas/Channel"
import type { Service as Registry } from "@watchword/schemas/ChannelRegistry"
import { keptSince } from "@watchword/store/Traffic"
import { TRAFFIC_TABLES, deleteTraffic } from "@watchword/store/sql"
import type { Service } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Connection from "./Connection.ts"

/** How many claims, counts, and reports of a channel, one step deletes. */
const LIMIT = 1_000

/** The oldest reports that were kept before `?1`, at most `?2`. */
const OLD = "SELECT n, channel, refs FROM unmatched_reports WHERE at < ?1 ORDER BY at, n LIMIT ?2"

/** Reports of the channel `?1` beyond its latest `?2`, at most `?3`. */
const EXCESS = `SELECT n, channel, refs FROM unmatched_reports
  WHERE channel = ?1 ORDER BY at DESC, n DESC LIMIT ?3 OFFSET ?2`

/** The port's `sweep`, in batches. */
export const make = (connection: Connection.Connection, registry: Registry): Service["sweep"] =>
  Effect.fnUntraced(function* ({ at, unmatchedBefore, unmatchedLimit }) {
    let deleted = LIMIT
    while (deleted >= LIMIT) {
      const [claims, counts, , , reports] = yield* connection.run(() => [
        {
          sql: `DELETE FROM claims WHERE (tenant, key) IN
            (SELECT tenant, key FROM claims WHERE expires_at < ?1 ORDER BY expires_at LIMIT ?2) RETURNING 1`,
          values: [at, LIMIT]
        },
        {
          sql: `DELETE FROM counters WHERE (key, until) IN
            (SELECT key, until FROM counters WHERE until <= ${Connection.NOW} ORDER BY until LIMIT ?1) RETURNING 1`,
          values: [LIMIT]
        },
        { sql: `DELETE FROM processes WHERE until < ${Connection.NOW}`, values: [] },
        ...deletion(OLD, [unmatchedBefore, LIMIT])
      ])
      deleted = Math.max(...[claims, counts, reports].map((result) => Connection.rowsOf(result).length))
    }
    yield* connection.run(() =>
      TRAFFIC_TABLES.map((table) => ({ sql: deleteTraffic(table, "?1"), values: [keptSince(at)] }))
    )
    const dropped = new Map<Product, number>()
    for (const { name } of registry.products) {
      do {
        const statements = deletion(EXCESS, [registry.codeOf(name), unmatchedLimit, LIMIT])
        const [, reports] = yield* connection.run(() => statements)
        deleted = Connection.rowsOf(reports).length
        if (deleted > 0) dropped.set(name, (dropped.get(name) ?? 0) + deleted)
      } while (deleted >= LIMIT)
    }
    return { dropped }
  })

/** Deletes the refs of some reports, then the reports, one row for each. */
const deletion = (reports: string, values: ReadonlyArray<Connection.Value>): ReadonlyArray<Connection.Statement> => [
  {
    sql: `DELETE FROM unmatched_refs WHERE (channel, ref, report) IN
      (SELECT report.channel, w.value, report.n FROM (${reports}) report, json_each(report.refs) w)`,
    values
  },
  { sql: `DELETE FROM unmatched_reports WHERE n IN (SELECT n FROM (${reports})) RETURNING 1`, values }
]
