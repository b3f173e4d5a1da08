/**
 * Stores full of records, written straight into their tables, with counts by plain SQL: on SQLite in a file, on
 * PostgreSQL in a schema of a server of their own. Records that are kept are used again.
 */
import { anyOriginators } from "@watchword/schemas/Account"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { nextAccountId } from "@watchword/schemas/Ids"
import { PostgresStore } from "@watchword/store-postgres"
import { FINE_WIDTH, WEEK, WIDTH, makePartitions } from "@watchword/store/sql"
import { sqlite } from "@watchword/store-sqlite"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Pool } from "pg"
import { start } from "../../test/PostgresServer.ts"
import { workFolder } from "./processes.ts"
import { type Row, type Shape, records } from "./records.ts"

export interface RecordStore {
  readonly layer: Layer.Layer<Store, StoreError>
  /** Asks the database itself. */
  readonly select: (sql: string) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
}

export interface RecordStores {
  /** A store with so many records, in a place named after their number. */
  readonly open: (shape: Shape) => Promise<RecordStore>
  readonly close: () => Promise<void>
}

const SMS = ChannelRegistry.make(ChannelRegistry.builtIn).codeOf("sms")
/** The only account is the first one of its store. */
const PARTITION = makePartitions(ChannelRegistry.make(ChannelRegistry.builtIn)).partitionOf(1, "live", "sms")
const AT_ONCE = 10_000

const createAccount = (layer: Layer.Layer<Store, StoreError>): Promise<void> =>
  Effect.runPromise(
    Effect.provide(
      Store.use((store) =>
        store.createAccount({
          id: nextAccountId(Date.now()),
          name: "Bench",
          caller: null,
          smsSender: null,
          senderUsername: null,
          minRing: 5,
          maxRing: 15,
          storeText: true,
          originators: anyOriginators,
          suspendedAt: null,
          createdAt: Date.now()
        })
      ),
      layer
    )
  )

function* batches(shape: Shape): Generator<ReadonlyArray<Row>> {
  let batch: Array<Row> = []
  for (const row of records(shape)) {
    batch.push(row)
    if (batch.length < AT_ONCE) continue
    yield batch
    batch = []
  }
  yield batch
}

/** @param kept the folder of the records, which stay in it */
export const onSqlite = (kept: string | null): RecordStores => {
  const folder = kept ?? workFolder()
  mkdirSync(folder, { recursive: true })
  const files: Array<Sqlite.Database> = []

  const open: RecordStores["open"] = async (shape) => {
    const file = join(folder, `records-${shape.rows}.db`)
    if (!existsSync(file)) {
      const unfinished = `${file}.unfinished`
      rmSync(unfinished, { force: true })
      await createAccount(Layer.provide(sqlite(unfinished), ChannelRegistry.layerBuiltIn))
      fillFile(unfinished, shape)
      renameSync(unfinished, file)
    }
    const layer = Layer.provide(sqlite(file), ChannelRegistry.layerBuiltIn)
    const db = new Sqlite(file, { readonly: true })
    files.push(db)
    return { layer, select: async (sql) => db.prepare<[], Record<string, unknown>>(sql).all() }
  }

  const close = async (): Promise<void> => {
    for (const db of files) db.close()
  }

  return { open, close }
}

const fillFile = (file: string, shape: Shape): void => {
  const db = new Sqlite(file)
  db.pragma("synchronous = OFF")
  db.pragma("cache_size = -200000")
  const insert = db.prepare(
    `INSERT INTO deliveries
       (partition, week, id, recipient, sender, phase, status, rank, price, parts, named, reference, created_at,
        status_at, details, owner)
     VALUES (${PARTITION}, ? / ${WEEK}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`
  )
  const insertAll = db.transaction((rows: ReadonlyArray<Row>) => {
    for (const row of rows) insert.run(BigInt(row.statusAt), ...values(row))
  })
  for (const batch of batches(shape)) insertAll(batch)
  for (const [table, width] of [["counts", WIDTH] as const, ["fine_counts", FINE_WIDTH] as const]) {
    db.exec(
      `INSERT INTO ${table} (partition, bucket, status, n)
       SELECT partition, listed_at / ${width}, status, count(*) FROM deliveries GROUP BY 1, 2, 3`
    )
  }
  db.pragma("wal_checkpoint(TRUNCATE)")
  db.close()
}

const values = (row: Row) =>
  [
    row.id,
    row.recipient,
    row.sender,
    row.phase,
    row.status,
    row.rank,
    row.price,
    row.parts,
    row.parts,
    row.reference,
    row.createdAt,
    row.statusAt,
    row.details
  ] as const

/** @param kept the folder of the server's data, which stay in it */
export const onPostgres = async (kept: string | null): Promise<RecordStores> => {
  const server = await start({
    ...(kept !== null && { folder: kept }),
    settings: { shared_buffers: "512MB", max_wal_size: "4GB", maintenance_work_mem: "256MB" }
  })
  const pool = new Pool({ connectionString: server.url })
  // The server ends connections that are idle when it stops.
  pool.on("error", () => {})

  const open: RecordStores["open"] = async (shape) => {
    const name = `records_${shape.rows}`
    const layer = Layer.provide(PostgresStore.layer({ url: server.url, schema: name }), ChannelRegistry.layerBuiltIn)
    const { rowCount } = await pool.query(
      "SELECT FROM pg_namespace WHERE nspname = $1 AND obj_description(oid, 'pg_namespace') = $2",
      [name, FILLED]
    )
    if (rowCount === 0) {
      await pool.query(`DROP SCHEMA IF EXISTS ${name} CASCADE`)
      await createAccount(layer)
      await fillSchema(pool, name, shape)
    }
    const client = await pool.connect()
    await client.query(`SET search_path = ${name}`)
    clients.push(client)
    return { layer, select: async (sql) => (await client.query(sql)).rows }
  }

  const clients: Array<{ readonly release: () => void }> = []
  const close = async (): Promise<void> => {
    for (const client of clients) client.release()
    await pool.end()
    await server.stop()
  }

  return { open, close }
}

/** The comment of a schema that has all its records. */
const FILLED = "filled"

/** The types of what {@link values} answers. */
const TYPES = "text text text smallint text integer bigint integer integer integer bigint bigint jsonb".split(" ")

const fillSchema = async (pool: Pool, name: string, shape: Shape): Promise<void> => {
  const columns = TYPES.map((type, index) => `$${index + 1}::${type}[]`)
  for (const batch of batches(shape)) {
    const rows = batch.map(values)
    await pool.query(
      `INSERT INTO ${name}.deliveries
         (account, mode, channel, owner, id, recipient, sender, phase, status, rank, price, parts, named,
          reference, created_at, status_at, details)
       SELECT 1, 0, ${SMS}, '', r.* FROM unnest(${columns.join(", ")}) r`,
      columns.map((_, index) => rows.map((row) => row[index]))
    )
  }
  await pool.query(
    `INSERT INTO ${name}.counts (account, mode, channel, width, bucket, status, n)
     SELECT account, mode, channel, width, listed_at / width, status, count(*)
     FROM ${name}.deliveries, (VALUES (${WIDTH}), (${FINE_WIDTH})) w (width) GROUP BY 1, 2, 3, 4, 5, 6`
  )
  await pool.query(`VACUUM ANALYZE ${name}.deliveries`)
  await pool.query(`VACUUM ANALYZE ${name}.counts`)
  await pool.query(`COMMENT ON SCHEMA ${name} IS '${FILLED}'`)
}
