/**
 * Checks the server settings that reliable answers depend on.
 */
import { StoreError } from "@watchword/store/StoreError"
import type { Client } from "pg"

const OLDEST = 150_000
/** The class of the lock that is tried: "WWRT". */
const APPLICATION = 0x57575254

/** Rejects with a `StoreError` that names the setting. */
export const checkServer = async (client: Client): Promise<void> => {
  const { rows } = await client.query<Record<string, string>>(
    `SELECT version() AS product, current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
       current_setting('default_transaction_isolation') AS isolation, current_setting('synchronous_commit') AS commits`
  )
  const { commits, encoding, isolation, product = "", version } = rows[0] ?? {}
  const other = otherProduct(product)
  if (other !== null) {
    throw unusable(
      `The server must be PostgreSQL; it is ${other}, on which advisory locks do not keep processes apart.`
    )
  }
  if (!(await keepsLocks(client)))
    throw unusable("The server must be PostgreSQL; this one does not keep advisory locks.")
  if (Number(version) < OLDEST) throw unusable("The server must be PostgreSQL 15 or newer.")
  if (encoding !== "UTF8") throw unusable(`The database must have the encoding UTF8; it has ${encoding}.`)
  if (isolation !== "read committed") {
    throw unusable(`The database must have default_transaction_isolation = 'read committed'; it has '${isolation}'.`)
  }
  if (commits === "off") {
    throw unusable("The database must not have synchronous_commit = 'off': acknowledged changes could be lost.")
  }
}

/**
 * The product name of a server that speaks PostgreSQL's protocol but is another product, according to its `version()`;
 * null for PostgreSQL.
 */
const otherProduct = (version: string): string | null => {
  const [, name] = others.find(([pattern]) => pattern.test(version)) ?? []
  return name ?? null
}

const others = [
  [/^CockroachDB /, "CockroachDB"],
  [/^PostgreSQL \S+-YB-/, "YugabyteDB"],
  [/\bDSQL\b/, "Aurora DSQL"],
  [/\bRedshift\b/, "Redshift"],
  [/\bGreenplum\b/, "Greenplum"],
  [/-RisingWave-/, "RisingWave"],
  [/\bMaterialize\b/, "Materialize"],
  [/^(?!PostgreSQL \d)/, "another product"]
] as const

/** Whether the server really holds a lock: other products have the functions, but they do nothing. */
const keepsLocks = async (client: Client): Promise<boolean> => {
  const { rows } = await client.query<{ readonly kept: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_locks WHERE taken AND locktype = 'advisory' AND pid = pg_backend_pid()) AS kept
     FROM (SELECT pg_try_advisory_xact_lock(${APPLICATION}, pg_backend_pid()) AS taken OFFSET 0) t`
  )
  return rows[0]?.kept === true
}

/** The error of a database that cannot be used until an operator changes something. */
export const unusable = (message: string): StoreError => new StoreError({ reason: "Unavailable", message })
