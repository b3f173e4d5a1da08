/**
 * The databases of the service: a file of SQLite, a PostgreSQL, or a cluster of them.
 */
import type { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import type { Snapshots } from "@watchword/store/Snapshots"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { PostgresStore, postgres } from "@watchword/store-postgres"
import { SqliteStore, sqlite } from "@watchword/store-sqlite"
import * as Layer from "effect/Layer"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as delay } from "node:timers/promises"
import { Client } from "pg"
import type { PostgresServer } from "../PostgresServer.ts"
import type { Cluster } from "./cluster/Cluster.ts"

export interface Database {
  readonly settings: Readonly<Record<string, string>>
  readonly layer: Layer.Layer<Store | Snapshots, StoreError, ChannelRegistry>
  /** Has the database fail for some milliseconds: a writer that holds its lock, or a server that dies. */
  readonly fail: (milliseconds: number) => Promise<void>
  /**
   * Has all verifications and events be due at once that wait for their time, which may be that of the database. Events
   * that a process has taken stay under its lease.
   */
  readonly hurry: () => Promise<void>
  /** Where the bytes of some texts are still to be found. */
  readonly traces: (texts: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>
}

/** @param schema with its dot */
const hurrying = (schema: string): ReadonlyArray<string> => [
  `UPDATE ${schema}events SET due_at = 1 WHERE state = 0`,
  `UPDATE ${schema}deliveries SET due_at = 1 WHERE due_at IS NOT NULL`
]

export const sqliteIn = (folder: string): Database => {
  const file = join(folder, "watchword.db")
  return {
    settings: { DATABASE_URL: `sqlite:${file}` },
    layer: Layer.mergeAll(sqlite(file), SqliteStore.snapshots(file)),
    fail: async (milliseconds) => {
      const other = new DatabaseSync(file, { timeout: 5_000 })
      other.exec("BEGIN IMMEDIATE")
      await delay(milliseconds)
      other.exec("ROLLBACK")
      other.close()
    },
    hurry: async () => {
      const other = new DatabaseSync(file, { timeout: 5_000 })
      for (const statement of hurrying("")) other.exec(statement)
      other.close()
    },
    traces: async (texts) =>
      globSync(`${file}*`).flatMap((name) => {
        const bytes = readFileSync(name)
        return texts.filter((text) => bytes.includes(text)).map((text) => `${text} in ${name}`)
      })
  }
}

export const postgresOn = (server: PostgresServer): Database =>
  postgresAt(
    server.url,
    () => Promise.resolve(server.url),
    async (milliseconds) => {
      await server.crash()
      await delay(milliseconds)
      await server.restart()
    }
  )

/** It fails in ways of its own, see kinds.ts. */
export const clusterOf = ({ url, urlOfPrimary }: Cluster): Database =>
  postgresAt(url, urlOfPrimary, () => Promise.reject(new Error("a cluster fails by its members")))

const postgresAt = (url: string, urlOfPrimary: () => Promise<string>, fail: Database["fail"]): Database => {
  const schema = "faults"
  const ask = async (sql: string, values: ReadonlyArray<unknown> = []): Promise<ReadonlyArray<unknown>> => {
    const client = new Client({ connectionString: await urlOfPrimary() })
    await client.connect()
    try {
      return (await client.query(sql, [...values])).rows
    } finally {
      await client.end()
    }
  }
  return {
    settings: { DATABASE_URL: url, DATABASE_SCHEMA: schema, DATABASE_CONNECTIONS: "4" },
    layer: Layer.mergeAll(postgres(url, { schema }), PostgresStore.snapshots({ url, schema })),
    fail,
    hurry: async () => {
      for (const statement of hurrying(`"${schema}".`)) await ask(statement)
    },
    traces: async (texts) => {
      const tables = await ask("SELECT tablename AS name FROM pg_tables WHERE schemaname = $1", [schema])
      const found: Array<string> = []
      for (const table of tables) {
        const name = String(Object(table).name)
        const rows = await ask(
          `SELECT t.text FROM unnest($1::text[]) t(text) WHERE EXISTS (SELECT FROM "${schema}"."${name}" r WHERE strpos(r::text, t.text) > 0)`,
          [texts]
        )
        found.push(...rows.map((row) => `${String(Object(row).text)} in ${name}`))
      }
      return found
    }
  }
}
