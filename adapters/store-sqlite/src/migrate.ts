/**
 * Migrates database files, and refuses files that do not belong to Watchword. The rules are in
 * `@watchword/store/Migrator`.
 */
import * as Migrator from "@watchword/store/Migrator"
import { StoreError } from "@watchword/store/StoreError"
import Sqlite, { type Database } from "better-sqlite3"
import type * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { retryBusy } from "./retryBusy.ts"
import { type Migration, migrations } from "./schema.ts"

/** SQLite's `application_id` of Watchword's files: "WWRD". */
const APPLICATION = 0x57575244

/**
 * Applies the migrations that a file lacks, each in its own transaction, and returns the status from before. Safe if
 * several processes start at once, or a server is using the file.
 *
 * Throws a `StoreError` and changes nothing if the file belongs to another program or accepts only newer programs.
 */
export const migrate = (db: Database, list: ReadonlyArray<Migration> = migrations): Migrator.Status => {
  const status = statusOf(db, list)
  const refused = Migrator.refusal(`The database ${db.name}`, status)
  if (refused !== null) throw refused
  for (const [i, migration] of list.entries()) {
    if (i >= status.database) db.transaction(apply).immediate(db, i + 1, migration)
  }
  return status
}

const apply = (db: Database, version: number, migration: Migration): void => {
  // Another process may have applied it since.
  if (recorded(db).version >= version) return
  db.exec(statementsOf(version, migration))
}

/** The statements of a migration, including the record of it. */
export const statementsOf = (version: number, migration: Migration): string =>
  [
    ...(version === 1 ? [`PRAGMA application_id = ${APPLICATION}`, Migrator.createJournal()] : []),
    migration.sql.trim().replace(/;$/, ""),
    Migrator.insertRecord(version, migration)
  ].join(";\n")

/** The status of a file, which is left unchanged. Throws a `StoreError` if the file belongs to another program. */
export const statusOf = (db: Database, list: ReadonlyArray<Migration> = migrations): Migrator.Status =>
  Migrator.statusOf(recorded(db), list)

const recorded = (db: Database): Migrator.Recorded => {
  // One statement, so that a half-created file is never seen.
  const [application, objects] = db.prepare<[], readonly [number, number]>(IDENTITY).raw().get() ?? [0, 0]
  if (application === APPLICATION) {
    return db.prepare<[], Migrator.Recorded>(Migrator.selectRecorded()).get() ?? Migrator.EMPTY
  }
  if (application === 0 && objects === 0) return Migrator.EMPTY
  throw new StoreError({ reason: "Unavailable", message: `The database ${db.name} belongs to another program.` })
}

const IDENTITY = "SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id"

/** The status of a file that may not exist. The file is not created. */
export const readStatus = (filename: string): Effect.Effect<Migrator.Status, StoreError> =>
  retryBusy(() => {
    if (!existsSync(filename)) return Migrator.statusOf(Migrator.EMPTY, migrations)
    const db = new Sqlite(filename, { readonly: true, timeout: 0 })
    try {
      return statusOf(db)
    } finally {
      db.close()
    }
  }, `The database ${filename} could not be read`)
