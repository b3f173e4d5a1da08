/**
 * What a server must be like, so that its answers can be relied on.
 */
import { StoreError } from "@watchword/store/StoreError"
import type { Client } from "pg"

const OLDEST = 150_000

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
  if (Number(version) < OLDEST) throw unusable("The server must be PostgreSQL 15 or newer.")
  if (encoding !== "UTF8") throw unusable(`The database must have the encoding UTF8; it has ${encoding}.`)
  if (isolation !== "read committed") {
    throw unusable(`The database must have default_transaction_isolation = 'read committed'; it has '${isolation}'.`)
  }
  if (commits === "off") {
    throw unusable("The database must not have synchronous_commit = 'off': what it has answered could be lost.")
  }
}

/** The name of a server that speaks PostgreSQL's protocol and is another product, by its `version()`; null for PostgreSQL. */
export const otherProduct = (version: string): string | null => {
  const [, name] = others.find(([pattern]) => pattern.test(version)) ?? []
  return name ?? null
}

const others = [
  [/^CockroachDB /, "CockroachDB"],
  [/^PostgreSQL \S+-YB-/, "YugabyteDB"]
] as const

/** The error of a database that cannot be used until an operator has changed something. */
export const unusable = (message: string): StoreError => new StoreError({ reason: "Unavailable", message })
