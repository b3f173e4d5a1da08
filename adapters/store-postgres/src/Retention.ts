/**
 * Redactions of records, the deletion of old ones, and the space of both; see sql/retention.ts.
 */
import { firstUlid } from "@watchword/schemas/Ids"
import type { Reclaim, RetentionStore } from "@watchword/store/internal/RetentionStore"
import type { StoreError } from "@watchword/store/StoreError"
import type { Partitions } from "@watchword/store/internal/sql/Partitions"
import * as Effect from "effect/Effect"
import { Client, type ClientConfig } from "pg"
import { type Connections, failWith } from "./Connections.ts"
import { failed, unreachable } from "./failures.ts"
import { type Row, decoder, json, writable } from "./Rows.ts"
import { record } from "./sql/shape.ts"

/** The tables that have data of persons. */
const TABLES = ["deliveries", "claims", "parts", "part_reports", "unmatched_reports", "unmatched_refs", "settings"]

export const make = ({ ask }: Connections, config: ClientConfig, s: string, partitions: Partitions): RetentionStore => {
  const decode = decoder(partitions)

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
        ask<[counts: ReadonlyArray<string>]>(`SELECT ${s}.forget($1, $2)`, [writable(to), settings.map(writable)]),
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
const vacuum = (config: ClientConfig, s: string, what: Exclude<Reclaim, "some">): Effect.Effect<void, StoreError> =>
  Effect.tryPromise({
    try: async () => {
      const client = new Client({ ...config, query_timeout: 0 })
      // The query under way fails when the connection ends.
      client.on("error", () => {})
      await client.connect().catch((error: unknown) => {
        throw unreachable(error)
      })
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
