/**
 * Migrates a schema to this version, in one transaction and under a lock that ends with it: several processes may start
 * at once, behind a transaction pooler too.
 */
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { Client, type ClientConfig, escapeIdentifier } from "pg"
import { Failure, failed, unreachable } from "./failures.ts"
import { retry } from "./retry.ts"
import { migrations } from "./schema.ts"

/** Fails with a `StoreError` for a schema of a newer version or of another program. */
export const migrate = (config: ClientConfig, schema: string): Effect.Effect<void, StoreError> =>
  Effect.tryPromise({
    try: () => retry(() => attempt(config, schema)),
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

const attempt = async (config: ClientConfig, schema: string): Promise<void> => {
  const client = new Client(config)
  // The query under way fails when the connection ends.
  client.on("error", () => {})
  try {
    await client.connect().catch((error: unknown) => {
      throw unreachable(error)
    })
    await upgrade(client, schema)
  } catch (error) {
    throw error instanceof StoreError ? error : failed(error)
  } finally {
    await client.end().catch(() => {})
  }
}

const upgrade = async (client: Client, schema: string): Promise<void> => {
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

/** The class of the lock, which keeps it apart from other programs' locks: "WWRD". */
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
    if (found?.others === true) throw unusable(`The schema ${schema} belongs to another program.`)
    return 0
  }
  const versions = await client.query<{ readonly version: number }>(`SELECT version FROM ${quote(schema)}.${VERSION}`)
  const version = versions.rows[0]?.version ?? 0
  if (version > migrations.length) {
    throw unusable(
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
       current_setting('default_transaction_isolation') AS isolation, current_setting('synchronous_commit') AS commits`
  )
  const { commits, encoding, isolation, version } = rows[0] ?? {}
  if (Number(version) < OLDEST) throw unusable("The server must be PostgreSQL 15 or newer.")
  if (encoding !== "UTF8") throw unusable(`The database must have the encoding UTF8; it has ${encoding}.`)
  if (isolation !== "read committed") {
    throw unusable(`The database must have default_transaction_isolation = 'read committed'; it has '${isolation}'.`)
  }
  if (commits === "off") {
    throw unusable("The database must not have synchronous_commit = 'off': what it has answered could be lost.")
  }
}

const unusable = (message: string): StoreError => new StoreError({ reason: "Unavailable", message })
