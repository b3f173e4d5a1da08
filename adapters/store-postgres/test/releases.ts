/**
 * PostgreSQL schemas of releases.
 */
import * as Migrator from "@watchword/store/Migrator"
import { Client } from "pg"
import { start } from "../../../test/PostgresServer.ts"
import { type Kind, literal } from "../../../test/released/Database.ts"
import { type Migration, migrations } from "../src/schema.ts"
import * as BuiltIn from "./builtIn.ts"

const S = '"watchword"'
const JOURNAL = `${S}.${Migrator.JOURNAL}`

export const postgres: Kind = {
  folder: new URL("released/", import.meta.url),
  keepsPlans: true,
  schema: (number = migrations.length) =>
    [
      `CREATE SCHEMA ${S};\n${Migrator.createJournal(JOURNAL)};\n`,
      ...migrations
        .slice(0, number)
        .map((migration, i) => `${sqlOf(migration)}\n${Migrator.insertRecord(i + 1, migration, JOURNAL)};\n`)
    ].join("\n"),
  open: async () => {
    const server = await start()
    const client = new Client(server.url)
    await client.connect()
    return {
      load: async (sql) => void (await client.query(sql)),
      dump: async () => {
        const { rows } = await client.query<{ readonly name: string; readonly columns: string }>(TABLES)
        const lines: Array<string> = []
        for (const { columns, name } of rows) lines.push(...(await insertsOf(client, name, columns)))
        const { rows: sequences } = await client.query<{ readonly name: string; readonly last: string }>(SEQUENCES)
        for (const { last, name } of sequences) lines.push(`SELECT setval('${S}.${name}', ${last});`)
        return ["SET session_replication_role = replica;", ...lines, "RESET session_replication_role;"]
          .map((line) => `${line}\n`)
          .join("")
      },
      expand: async () => {
        const { rows } = await client.query<{ readonly name: string }>(TABLES)
        for (const { name } of rows) {
          await client.query(`ALTER TABLE ${S}.${name} ADD COLUMN added text NOT NULL DEFAULT 'none'`)
        }
      },
      store: BuiltIn.layer({ url: server.url }),
      snapshots: BuiltIn.snapshots({ url: server.url }),
      close: async () => {
        await client.end()
        await server.stop()
      }
    }
  }
}

const sqlOf = (migration: Migration): string =>
  migration._tag === "InTransaction"
    ? migration.sql(S)
    : migration.indexes
        .map(({ definition, name, table }) => `CREATE INDEX ${name} ON ${S}.${table} ${definition};`)
        .join("\n")

const insertsOf = async (client: Client, table: string, columns: string): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query<{ readonly row: string }>(
    `SELECT to_json(t)::text AS row FROM (SELECT ${columns} FROM ${S}.${table} ORDER BY 1) t`
  )
  if (rows.length === 0) return []
  const values = rows.map(({ row }) => literal(row).slice(1, -1)).join(",\n")
  return [
    `INSERT INTO ${S}.${table} (${columns}) OVERRIDING SYSTEM VALUE\n` +
      `SELECT ${columns} FROM json_populate_recordset(NULL::${S}.${table}, '[\n${values}\n]');`
  ]
}

const TABLES = `SELECT c.relname AS name, string_agg(a.attname, ', ' ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'watchword'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> '${Migrator.JOURNAL}' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  GROUP BY c.relname ORDER BY c.relname`

const SEQUENCES = `SELECT sequencename AS name, last_value AS last FROM pg_sequences
  WHERE schemaname = 'watchword' AND last_value IS NOT NULL ORDER BY 1`
