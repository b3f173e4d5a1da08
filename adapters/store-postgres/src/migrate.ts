/**
 * Migrations of a schema. The rules are in `@watchword/store/Migrator`.
 *
 * Each migration is applied in its own transaction, whose statements give up if other transactions keep them waiting
 * for a table: otherwise statements of sends would queue behind them. Indexes are built concurrently. See
 * MigrationLock.ts for several processes that start at once.
 */
import * as Migrator from "@watchword/store/Migrator"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import type { Client } from "pg"
import { Failure, failed } from "./failures.ts"
import * as Hosts from "./Hosts.ts"
import * as MigrationLock from "./MigrationLock.ts"
import { quote } from "./quote.ts"
import { retry } from "./retry.ts"
import { type InTransaction, type Indexes, type Migration, migrations } from "./schema.ts"
import { checkServer, unusable } from "./ServerSettings.ts"

/**
 * Applies the migrations that a schema lacks, and returns the status from before. Fails with a `StoreError` and changes
 * nothing if the schema belongs to another program or accepts only newer programs.
 */
export const migrate = (
  config: Hosts.Config,
  schema: string,
  list: ReadonlyArray<Migration> = migrations
): Effect.Effect<Migrator.Status, StoreError> =>
  attempt(config, async (client) => {
    await checkServer(client)
    const status = await usable(client, schema, list)
    if (status.pending.length === 0) return status
    const holder = await connect(config)
    try {
      await MigrationLock.take(holder, schema)
      // Another process may have been first.
      const { database } = await usable(client, schema, list)
      for (const [i, migration] of list.entries()) {
        if (i >= database) await apply(client, schema, i + 1, migration)
      }
    } finally {
      await end(holder)
    }
    return status
  })

/** The status of a schema, which is left unchanged. */
export const readStatus = (config: Hosts.Config, schema: string): Effect.Effect<Migrator.Status, StoreError> =>
  attempt(config, async (client) => {
    await checkServer(client)
    return statusOf(client, schema, migrations)
  })

const attempt = <A>(config: Hosts.Config, run: (client: Client) => Promise<A>): Effect.Effect<A, StoreError> =>
  Effect.tryPromise({
    try: () => retry(() => withClient(config, run)),
    catch: (error) => error
  }).pipe(
    Effect.catch((error) =>
      error instanceof StoreError
        ? Effect.fail(error)
        : error instanceof Failure && error.kind !== "mistake"
          ? Effect.fail(unusable(`The database could not be opened: ${error.why}.`))
          : Effect.die(error)
    )
  )

const withClient = async <A>(config: Hosts.Config, run: (client: Client) => Promise<A>): Promise<A> => {
  const client = await connect(config)
  try {
    return await run(client)
  } catch (error) {
    throw error instanceof StoreError ? error : failed(error)
  } finally {
    await end(client)
  }
}

/** No query timeout: building an index takes longer the larger its table is. */
const connect = (config: Hosts.Config): Promise<Client> => Hosts.connect({ ...config, query_timeout: 0 })

const end = (client: Client): Promise<void> => client.end().catch(() => {})

const journalOf = (schema: string): string => `${quote(schema)}.${Migrator.JOURNAL}`

const usable = async (client: Client, schema: string, list: ReadonlyArray<Migration>): Promise<Migrator.Status> => {
  const status = await statusOf(client, schema, list)
  const refused = Migrator.refusal(`The schema ${schema}`, status)
  if (refused !== null) throw refused
  return status
}

const statusOf = async (client: Client, schema: string, list: ReadonlyArray<Migration>): Promise<Migrator.Status> => {
  const { rows } = await client.query<{ readonly ours: boolean; readonly others: boolean }>(
    `SELECT coalesce(bool_or(c.relname = $2), false) AS ours, count(*) > 0 AS others
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v')`,
    [schema, Migrator.JOURNAL]
  )
  const [found] = rows
  if (found?.ours !== true) {
    if (found?.others === true) throw unusable(`The schema ${schema} belongs to another program.`)
    return Migrator.statusOf(Migrator.EMPTY, list)
  }
  const recorded = await client.query<Migrator.Recorded>(Migrator.selectRecorded(journalOf(schema)))
  return Migrator.statusOf(recorded.rows[0] ?? Migrator.EMPTY, list)
}

const apply = async (client: Client, schema: string, version: number, migration: Migration): Promise<void> => {
  const record = Migrator.insertRecord(version, migration, journalOf(schema))
  if (migration._tag === "InTransaction") return inTransaction(client, schema, version, migration, record)
  for (const index of migration.indexes) await build(client, schema, index)
  await client.query(record)
}

/** How long a statement waits for a table that other transactions are using. */
const LOCK_TIMEOUT = "2s"
/** How often a transaction that waited that long is retried, and the pause before each retry, in milliseconds. */
const ATTEMPTS = 30
const PAUSE = 1_000

const inTransaction = async (
  client: Client,
  schema: string,
  version: number,
  { name, sql }: InTransaction,
  record: string
): Promise<void> => {
  for (let left = ATTEMPTS; ; left--) {
    try {
      await client.query("BEGIN")
      await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
      if (version === 1) await prepare(client, schema)
      await client.query(sql(quote(schema)))
      await client.query(record)
      await client.query("COMMIT")
      return
    } catch (error) {
      const failure = failed(error)
      if (failure.kind !== "locked") throw failure
      await client.query("ROLLBACK")
      if (left === 1) {
        throw unusable(
          `The migration ${version}, ${name}, was not made: other transactions keep a table locked. Try again, or end them.`
        )
      }
      await MigrationLock.pause(PAUSE)
    }
  }
}

/** Creates the schema, unless it exists and is empty, and the journal. */
const prepare = async (client: Client, schema: string): Promise<void> => {
  const { rowCount } = await client.query("SELECT FROM pg_namespace WHERE nspname = $1", [schema])
  if (rowCount === 0) await client.query(`CREATE SCHEMA ${quote(schema)}`)
  await client.query(Migrator.createJournal(journalOf(schema)))
}

/** Builds an index while sends continue. First drops any unfinished index that a killed process left. */
const build = async (client: Client, schema: string, index: Indexes["indexes"][number]): Promise<void> => {
  const { definition, name, table } = index
  const { rows } = await client.query<{ readonly finished: boolean }>(
    `SELECT i.indisvalid AS finished FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2`,
    [schema, name]
  )
  if (rows[0]?.finished === true) return
  const s = quote(schema)
  if (rows[0] !== undefined) await client.query(`DROP INDEX CONCURRENTLY ${s}.${name}`)
  await client.query(`CREATE INDEX CONCURRENTLY ${name} ON ${s}.${table} ${definition}`)
}
