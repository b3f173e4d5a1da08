/**
 * SQLite files of releases.
 */
import * as Migrator from "@watchword/store/Migrator"
import Sqlite from "better-sqlite3"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Kind, inserts } from "../../../test/released/Database.ts"
import { statementsOf } from "../src/migrate.ts"
import { migrations } from "../src/schema.ts"
import * as BuiltIn from "./builtIn.ts"

export const sqlite: Kind = {
  folder: new URL("released/", import.meta.url),
  keepsPlans: true,
  schema: (number = migrations.length) =>
    migrations
      .slice(0, number)
      .map((migration, i) => `${statementsOf(i + 1, migration)};\n`)
      .join("\n"),
  open: async () => {
    const folder = mkdtempSync(join(tmpdir(), "watchword-"))
    const filename = join(folder, "watchword.db")
    const db = new Sqlite(filename)
    return {
      load: async (sql) => void db.exec(sql),
      dump: async () => {
        const tables = db.prepare<[], string>(TABLES).pluck().all()
        return tables
          .flatMap((table) => {
            const columns = db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table)
            const rows = db.prepare<[], Record<string, unknown>>(`SELECT ${columns.join(", ")} FROM ${table}`).all()
            return inserts(table, rows)
          })
          .map((line) => `${line}\n`)
          .join("")
      },
      expand: async () => {
        for (const table of db.prepare<[], string>(TABLES).pluck().all()) {
          db.exec(`ALTER TABLE ${table} ADD COLUMN added TEXT NOT NULL DEFAULT 'none'`)
        }
      },
      store: BuiltIn.sqlite(filename),
      snapshots: BuiltIn.snapshots(filename),
      close: async () => {
        db.close()
        rmSync(folder, { recursive: true })
      }
    }
  }
}

const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
  AND name <> '${Migrator.JOURNAL}' ORDER BY name`
