/**
 * The migrations of a database, applied from code.
 */
import type { D1Database } from "./D1.ts"
import { type Migration, migrations } from "./schema.ts"

/**
 * Applies the migrations that a database has not had, and notes them where wrangler does, so that
 * `wrangler d1 migrations apply` and this function can be used in turn. Safe when several start at once.
 *
 * Rejects with the error of D1, which has rolled the migration back.
 *
 * @example
 * ```ts
 * import { type D1Database, migrate } from "@watchword/store-d1"
 *
 * export const prepare = (env: { readonly DB: D1Database }) => migrate(env.DB)
 * ```
 */
export const migrate = async (db: D1Database): Promise<void> => {
  await db.batch([db.prepare(JOURNAL)])
  for (const migration of missing(await applied(db))) await apply(db, migration)
}

// As wrangler makes it.
const JOURNAL = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

const applied = async (db: D1Database): Promise<ReadonlySet<unknown>> => {
  const [names] = await db.batch([db.prepare("SELECT name AS value FROM d1_migrations")])
  return new Set((names?.results ?? []).map((row) => Object(row).value))
}

const missing = (names: ReadonlySet<unknown>): ReadonlyArray<Migration> =>
  migrations.filter(({ name }) => !names.has(name))

const apply = async (db: D1Database, { name, statements }: Migration): Promise<void> => {
  const note = db.prepare("INSERT INTO d1_migrations (name) VALUES (?1)").bind(name)
  try {
    // The note comes first: of two that apply the same, the second breaks off there.
    await db.batch([note, ...statements.map((statement) => db.prepare(statement))])
  } catch (error) {
    if (!(await applied(db)).has(name)) throw error
  }
}
