/**
 * D1 databases of releases.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as Layer from "effect/Layer"
import * as Migrator from "@watchword/store/Migrator"
import { type D1Database, d1 as layer } from "@watchword/store-d1"
import { Miniflare } from "miniflare"
import { type Kind, inserts, literal } from "../../../test/released/Database.ts"
import { NOTES } from "../src/migrate.ts"
import { migrations, written } from "../src/schema.ts"

export const d1: Kind = {
  folder: new URL("released/", import.meta.url),
  keepsPlans: false,
  schema: (number = migrations.length) =>
    [
      `${NOTES};\n`,
      ...migrations
        .slice(0, number)
        .map(
          (migration, i) =>
            `${written(migration, i + 1)}\nINSERT INTO d1_migrations (name) VALUES (${literal(migration.name)});\n`
        )
    ].join("\n"),
  open: async () => {
    const miniflare = new Miniflare({
      modules: true,
      script: "export default { fetch: () => new Response() }",
      compatibilityDate: "2026-07-01",
      d1Databases: { DB: "watchword" },
      host: "127.0.0.1",
      cf: false,
      telemetry: { enabled: false }
    })
    const db: D1Database = await miniflare.getD1Database("DB")
    const select = async (sql: string): Promise<ReadonlyArray<Record<string, unknown>>> => {
      const [result] = await db.batch([db.prepare(sql)])
      return (result?.results ?? []).map((row) => ({ ...Object(row) }))
    }
    return {
      load: async (sql) => {
        const statements = sql.split(/;\n+/).filter((statement) => statement !== "")
        await db.batch(statements.map((statement) => db.prepare(statement)))
      },
      dump: async () => {
        const lines: Array<string> = []
        for (const { name } of await select(TABLES)) {
          const columns = await select(`SELECT name FROM pragma_table_info('${String(name)}')`)
          const rows = await select(`SELECT ${columns.map((column) => column["name"]).join(", ")} FROM ${String(name)}`)
          lines.push(...inserts(String(name), rows))
        }
        return lines.map((line) => `${line}\n`).join("")
      },
      expand: async () => {
        const tables = await select(TABLES)
        await db.batch(
          tables.map(({ name }) =>
            db.prepare(`ALTER TABLE ${String(name)} ADD COLUMN added TEXT NOT NULL DEFAULT 'none'`)
          )
        )
      },
      store: Layer.provide(layer(db), ChannelRegistry.layerBuiltIn),
      snapshots: null,
      close: () => miniflare.dispose()
    }
  }
}

const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'
  AND name NOT IN ('d1_migrations', '${Migrator.JOURNAL}') ORDER BY name`
