/**
 * Brings a database to this version. Everything happens in one transaction, under a lock that ends with it, so
 * that several processes may start at once, behind a pooler of transactions too.
 */
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { Client, type ClientConfig, escapeIdentifier } from "pg"
import { Failure, failed, unreachable } from "./failures.ts"
import { retry } from "./retry.ts"
import { migrations } from "./schema.ts"

/** Fails with a `StoreError` for a schema that is not ours to change: a newer version's or another program's. */
export const migrate = (config: ClientConfig, schema: string): Effect.Effect<void, StoreError> =>
  Effect.tryPromise({
    try: () => retry(() => attempt(config, schema)),
    catch: (error) => error
  }).pipe(
    Effect.catch((error) =>
      error instanceof StoreError
        ? Effect.fail(error)
        : error instanceof Failure && error.kind !== "mistake"
          ? Effect.fail(refusal(`The database could not be opened: ${error.why}.`))
          : Effect.die(error)
    )
  )

const attempt = async (config: ClientConfig, schema: string): Promise<void> => {
  const client = new Client(config)
  // What ends the connection is told to the query that is under way.
  client.on("error", () => {})
  try {
    await client.connect().catch((error: unknown) => {
      throw unreachable(error)
    })
    await bring(client, schema)
  } catch (error) {
    throw error instanceof StoreError ? error : failed(error)
  } finally {
    await client.end().catch(() => {})
  }
}

const bring = async (client: Client, schema: string): Promise<void> => {
  await checkServer(client)
  if ((await versionOf(client, schema)) === migrations.length) return
  await client.query("BEGIN")
  await client.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [APPLICATION, schema])
  // Another process may have been first.
  const version = await versionOf(client, schema)
  const quoted = quote(schema)
  if (version === 0) {
    const { rowCount } = await client.query("SELECT FROM pg_namespace WHERE nspname = $1", [schema])
    if (rowCount === 0) await client.query(`CREATE SCHEMA ${quoted}`)
    await client.query(`CREATE TABLE ${quoted}.${VERSION} (version integer NOT NULL)`)
    await client.query(`INSERT INTO ${quoted}.${VERSION} VALUES (0)`)
  }
  for (const migration of migrations.slice(version)) await client.query(migration(quoted))
  await client.query(`UPDATE ${quoted}.${VERSION} SET version = $1`, [migrations.length])
  await client.query("COMMIT")
}

/** Names the lock, so that other programs on the same server do not wait for it: "WWRD". */
const APPLICATION = 0x57575244

const VERSION = "watchword_version"

export const quote = (name: string): string => escapeIdentifier(name)

/** The version of a schema that may be used; 0 when there is nothing in it. */
const versionOf = async (client: Client, schema: string): Promise<number> => {
  const { rows } = await client.query<{ readonly ours: boolean; readonly others: boolean }>(
    `SELECT coalesce(bool_or(c.relname = $2), false) AS ours, count(*) > 0 AS others
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v')`,
    [schema, VERSION]
  )
  const [found] = rows
  if (found?.ours !== true) {
    if (found?.others === true) throw refusal(`The schema ${schema} belongs to another program.`)
    return 0
  }
  const versions = await client.query<{ readonly version: number }>(`SELECT version FROM ${quote(schema)}.${VERSION}`)
  const version = versions.rows[0]?.version ?? 0
  if (version > migrations.length) {
    throw refusal(
      `The schema ${schema} was written by a newer version: ` +
        `its format is ${version}, and this version knows formats up to ${migrations.length}.`
    )
  }
  return version
}

const OLDEST = 150_000

const checkServer = async (client: Client): Promise<void> => {
  const { rows } = await client.query<Record<string, string>>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
       current_setting('default_transaction_isolation') AS isolation`
  )
  const { encoding, isolation, version } = rows[0] ?? {}
  if (Number(version) < OLDEST) throw refusal("The server must be PostgreSQL 15 or newer.")
  if (encoding !== "UTF8") throw refusal(`The database must have the encoding UTF8; it has ${encoding}.`)
  if (isolation !== "read committed") {
    throw refusal(`The database must have default_transaction_isolation = 'read committed'; it has '${isolation}'.`)
  }
}

const refusal = (message: string): StoreError => new StoreError({ reason: "Unavailable", message })
