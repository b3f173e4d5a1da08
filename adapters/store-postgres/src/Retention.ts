/**
 * Redactions of records, the deletion of old ones, and the space of both; see sql/retention.ts.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import { masked } from "@watchword/schemas/PhoneNumber"
import { FORGOTTEN, type Reclaim, type RetentionStore } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { type Partitions, forgetRefused } from "@watchword/store/sql"
import * as Effect from "effect/Effect"
import { type Connections, failWith } from "./Connections.ts"
import { failed } from "./failures.ts"
import * as Hosts from "./Hosts.ts"
import { dialect } from "./Refused.ts"
import { type Row, decoder, json, writable } from "./Rows.ts"
import { record } from "./sql/shape.ts"

/** The tables that have data of persons. */
const TABLES = [
  "deliveries",
  "claims",
  "parts",
  "part_reports",
  "unmatched_reports",
  "unmatched_refs",
  "settings",
  "operator_log",
  "refused_requests"
]

export const make = ({ ask }: Connections, config: Hosts.Config, s: string, partitions: Partitions): RetentionStore => {
  const decode = decoder(partitions)
  const refused = dialect(s)

  return {
    deliveriesBefore: ({ after, before, limit }) =>
      Effect.map(
        ask<[record: Row]>(
          `SELECT ${record("d", "a.id")} FROM ${s}.deliveries d JOIN ${s}.accounts a ON a.n = d.account
           WHERE d.id < $1 AND d.id > $2 ORDER BY d.id LIMIT $3`,
          [firstUlid(before), after ?? "", limit]
        ),
        (rows) => rows.map(([row]) => decode(row))
      ),

    redact: (redactions) =>
      Effect.map(
        ask<[changed: number]>(`SELECT ${s}.redact($1)`, [
          json(redactions.map(({ details, from, id, to }) => ({ id, person: to, sender: from, details })))
        ]),
        ([row]) => row?.[0] ?? 0
      ),

    forget: ({ settings, to }) =>
      Effect.map(
        ask<[counts: ReadonlyArray<string>]>(`WITH unnamed AS (${forgetRefused(refused)}) SELECT ${s}.forget($3, $4)`, [
          FORGOTTEN,
          masked(writable(to)),
          writable(to),
          settings.map(writable)
        ]),
        ([row]) => {
          const [claims = 0, reports = 0, removed = 0] = (row?.[0] ?? []).map(Number)
          return { claims, reports, settings: removed }
        }
      ),

    purge: ({ before, limit }) =>
      Effect.map(
        ask<[purged: number]>(`SELECT ${s}.purge($1, $2, $3)`, [firstUlid(before), before, limit]),
        ([row]) => row?.[0] ?? 0
      ),

    // Autovacuum comes by itself behind sweeps and purges.
    reclaim: (what) => (what === "some" ? Effect.succeed(true) : Effect.as(vacuum(config, s, what), true))
  }
}

/** VACUUM takes longer than any query of the pools may. */
const vacuum = (config: Hosts.Config, s: string, what: Exclude<Reclaim, "some">): Effect.Effect<void, StoreError> =>
  Effect.tryPromise({
    try: async () => {
      const client = await Hosts.connect({ ...config, query_timeout: 0 })
      try {
        const tables = TABLES.map((table) => `${s}.${table}`).join(", ")
        await client.query(`VACUUM ${what === "rewrite" ? "(FULL)" : ""} ${tables}`)
      } catch (error) {
        throw failed(error)
      } finally {
        await client.end().catch(() => {})
      }
    },
    catch: (error) => error
  }).pipe(Effect.catch(failWith))
