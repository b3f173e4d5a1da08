/**
 * The migrations of a database, applied from code. The rules are in `@watchword/store/Migrator`.
 */
import * as Migrator from "@watchword/store/Migrator"
import type { D1Database } from "./D1.ts"
import { type Migration, migrations, recording } from "./schema.ts"

/**
 * Applies the migrations that a database does not have yet, and records them where wrangler does, so that `wrangler d1
 * migrations apply` and this function can be used in turn. Safe to run several times at once.
 *
 * Rejects with a `StoreError` if the database accepts only newer programs, and otherwise with the error of D1, which
 * has rolled the migration back.
 *
 * @example
 * ```ts
 * import { type D1Database, migrate } from "@watchword/store-d1"
 *
 * export const prepare = (env: { readonly DB: D1Database }) => migrate(env.DB)
 * ```
 */
export const migrate = async (db: D1Database): Promise<void> => {
  await db.batch([db.prepare(NOTES)])
  const names = await applied(db)
  if (migrations.some(({ name }) => names.has(name))) await refuseNewer(db)
  for (const [i, migration] of migrations.entries()) {
    if (!names.has(migration.name)) await apply(db, migration, i + 1)
  }
}

/** The table in which wrangler records migrations, exactly as wrangler creates it. */
export const NOTES = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

const applied = async (db: D1Database): Promise<ReadonlySet<unknown>> => {
  const [names] = await db.batch([db.prepare("SELECT name AS value FROM d1_migrations")])
  return new Set((names?.results ?? []).map((row) => Object(row).value))
}

const refuseNewer = async (db: D1Database): Promise<void> => {
  const [recorded] = await db.batch([db.prepare(Migrator.selectRecorded())])
  const refused = refusal(Object(recorded?.results?.[0]).floor)
  if (refused !== null) throw refused
}

/** The error of a database whose floor is above this program's version, or null. */
export const refusal = (floor: number) => Migrator.refusal("The database", { floor, program: migrations.length })

const apply = async (db: D1Database, migration: Migration, version: number): Promise<void> => {
  const note = db.prepare("INSERT INTO d1_migrations (name) VALUES (?1)").bind(migration.name)
  try {
    // The record comes first: if two processes apply the same migration, the second aborts there.
    await db.batch([note, ...recording(migration, version).map((statement) => db.prepare(statement))])
  } catch (error) {
    if (!(await applied(db)).has(migration.name)) throw error
  }
}
