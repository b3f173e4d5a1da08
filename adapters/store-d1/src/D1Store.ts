/**
 * The store on Cloudflare D1.
 *
 * A step of a send reads its facts in one round trip, and writes in another if the facts are unchanged: one `batch()`,
 * which D1 runs as one transaction.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Delivery } from "@watchword/store/Delivery"
import { type Lease, type Manifest, type Service, Store, type StoreProvider } from "@watchword/store/Store"
import {
  WEEK,
  WIDTH,
  bucketOf,
  makePartitions,
  modeCode,
  partitionsAndWeeks,
  phaseCode,
  reading
} from "@watchword/store/sql"
import { type Recorded, selectRecorded } from "@watchword/store/Migrator"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Accounts from "./Accounts.ts"
import * as Connection from "./Connection.ts"
import * as Counters from "./Counters.ts"
import type { D1Database } from "./D1.ts"
import * as Events from "./Events.ts"
import * as Ledger from "./Ledger.ts"
import * as Lists from "./Lists.ts"
import * as Newest from "./Newest.ts"
import { refusal } from "./migrate.ts"
import { DELIVERIES, RECORD, parse } from "./Records.ts"
import * as OperatorLog from "./OperatorLog.ts"
import * as Refused from "./Refused.ts"
import * as Retention from "./Retention.ts"
import * as Settings from "./Settings.ts"
import * as Signals from "./Signals.ts"
import * as Steps from "./Steps.ts"
import * as Sweep from "./Sweep.ts"
import * as Traffic from "./Traffic.ts"

export const manifest: Manifest = { name: "d1", durable: true, shared: true, cluster: true, follows: true }

/** Whether the owner of a delivery has no lease. */
const ABANDONED = `d.owner NOT IN (SELECT p.id FROM processes p WHERE p.until > ${Connection.NOW})`

/** The store over a database that has its tables, for the channels of a registry. */
export const make = (db: D1Database, registry: ChannelRegistry.Service): Service => {
  const partitions = makePartitions(registry)
  const connection = Connection.make(db)
  const accounts = Accounts.make(connection)

  const run = (...statements: ReadonlyArray<Connection.Statement>) => connection.run(() => statements)

  const records = (sql: string, ...values: ReadonlyArray<Connection.Value>) =>
    Effect.flatMap(run({ sql, values }), ([result]) =>
      reading((): ReadonlyArray<Delivery> =>
        Connection.rowsOf<{ readonly record: string }>(result).map(({ record }) => parse(partitions, record))
      )
    )

  const byId = (id: DeliveryId) =>
    Effect.map(records(`SELECT ${RECORD} AS record FROM ${DELIVERIES} WHERE d.id = ?1`, id), ([found]) =>
      Option.fromUndefinedOr(found)
    )

  return Store.of({
    manifest,
    // A database is looked at when it is asked whether it works, because a Worker opens none.
    ping: Effect.flatMap(run({ sql: selectRecorded(), values: [] }), ([result]) => {
      const [recorded] = Connection.rowsOf<Recorded>(result)
      const refused = refusal(recorded?.floor ?? 0)
      return refused === null ? Effect.void : Effect.fail(refused)
    }),

    createAccount: accounts.create,
    account: accounts.find,
    accounts: accounts.list,
    changeAccount: accounts.change,
    createKey: accounts.createKey,
    keyByHash: accounts.keyByHash,
    key: accounts.key,
    keys: accounts.keys,
    expireKey: accounts.expireKey,
    useKey: accounts.useKey,
    revokeKey: accounts.revokeKey,
    keysChangedWithin: accounts.keysChangedWithin,
    ...Ledger.make(connection),
    ...Settings.make(connection),
    ...Counters.make(connection),
    ...Traffic.make(connection),
    ...Events.make(connection),
    ...OperatorLog.make(connection),
    ...Refused.make(connection),

    ...Steps.make(connection, partitions),

    find: ({ account, channel, id, mode }) =>
      Effect.map(
        byId(id),
        Option.filter((found) => found.account === account && found.mode === mode && found.channel === channel)
      ),
    list: Lists.make(connection, registry, partitions),
    ...Newest.make(connection, partitions),
    findByRef: ({ channel, ref }) =>
      Effect.map(
        records(
          `SELECT ${RECORD} AS record FROM ${DELIVERIES}
           WHERE d.id = (SELECT delivery FROM parts WHERE channel = ?1 AND ref = ?2)`,
          partitions.codeOf(channel),
          ref
        ),
        ([found]) => Option.fromUndefinedOr(found)
      ),
    unresolved: ({ abandoned, createdBefore, limit, phase }) =>
      records(
        `SELECT ${RECORD} AS record FROM ${DELIVERIES}
         WHERE d.phase = ?1 AND d.phase < 2 AND d.created_at < ?2 AND (NOT ?3 OR ${ABANDONED})
         ORDER BY d.created_at, d.id LIMIT ?4`,
        phaseCode(phase),
        createdBefore,
        abandoned ? 1 : 0,
        limit
      ),
    // Few statuses have few records: where those lie, `counts` knows.
    abandoned: ({ channel, createdBefore, createdFrom, limit, mode, status }) =>
      records(
        `WITH places AS (
           SELECT partition, bucket FROM counts
           WHERE status = ?1 AND partition & 255 = ?2 AND (?3 IS NULL OR partition >> 8 & 1 = ?3) AND n > 0
             AND bucket >= ?4
         )
         SELECT ${RECORD} AS record
         FROM places CROSS JOIN deliveries d ON d.partition = places.partition
           AND d.listed_at BETWEEN places.bucket * ${WIDTH} AND places.bucket * ${WIDTH} + ${WIDTH - 1}
         CROSS JOIN accounts a ON a.n = d.partition / 512
         WHERE d.status = ?1 AND d.listed_at >= ?5 AND d.created_at >= ?5 AND d.created_at < ?6 AND ${ABANDONED}
         ORDER BY d.created_at, d.id LIMIT ?7`,
        status,
        partitions.codeOf(channel),
        mode === null ? null : modeCode(mode),
        bucketOf(createdFrom, WIDTH),
        createdFrom,
        createdBefore,
        limit
      ),
    deliveriesTo: ({ limit, since, to, until }) =>
      records(
        `${partitionsAndWeeks("?1", "?2")}
         SELECT ${RECORD} AS record FROM places CROSS JOIN ${DELIVERIES}
         WHERE d.partition = place AND d.week = place_week AND d.recipient = ?3 AND d.created_at >= ?4
           AND d.status_at <= ?5
         ORDER BY d.created_at DESC, d.id DESC LIMIT ?6`,
        bucketOf(since, WEEK),
        bucketOf(until, WEEK),
        to,
        since,
        until,
        limit
      ),
    due: ({ channel, limit }) =>
      records(
        `SELECT ${RECORD} AS record FROM ${DELIVERIES}
         WHERE d.partition & 255 = ?1 AND d.due_at <= ${Connection.NOW} ORDER BY d.due_at, d.id LIMIT ?2`,
        partitions.codeOf(channel),
        limit
      ),
    leases: Effect.map(
      run({
        sql: `SELECT id AS process, until FROM processes WHERE until > ${Connection.NOW} ORDER BY id`,
        values: []
      }),
      ([result]) => Connection.rowsOf<Lease>(result)
    ),
    renewLease: ({ duration, process }) =>
      Effect.asVoid(
        run({
          sql: `INSERT INTO processes (id, until) VALUES (?1, ${Connection.NOW} + ?2)
            ON CONFLICT (id) DO UPDATE SET until = excluded.until`,
          values: [process, duration]
        })
      ),
    ...Signals.make(connection),
    ...Retention.make(connection, partitions),
    sweep: Sweep.make(connection, registry)
  })
}

/**
 * The store on a D1 binding whose migrations have been applied.
 *
 * @example
 * ```ts
 * import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
 * import { Store } from "@watchword/store/Store"
 * import { type D1Database, d1 } from "@watchword/store-d1"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * export default {
 *   fetch: (request: Request, env: { readonly DB: D1Database }) =>
 *     Store.use((store) => store.accounts).pipe(
 *       Effect.map((accounts) => Response.json(accounts.length)),
 *       Effect.provide(Layer.provide(d1(env.DB), ChannelRegistry.layerBuiltIn)),
 *       Effect.runPromise
 *     )
 * }
 * ```
 */
export const d1 = (db: D1Database): StoreProvider =>
  Layer.effect(
    Store,
    Effect.map(ChannelRegistry.ChannelRegistry, (registry) => make(db, registry))
  )
