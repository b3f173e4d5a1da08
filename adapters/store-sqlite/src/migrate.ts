import { StoreError } from "@watchword/store/StoreError"
import type { Database } from "better-sqlite3"
import { migrations } from "./schema.ts"

/** Written into the file, so that it is known for what it is: "WWRD". */
const APPLICATION = 0x57575244

/**
 * Brings a database to this version. Safe when several processes start at once.
 *
 * Throws a `StoreError` for a file that is not ours to change: a newer version's or another program's.
 */
export const migrate = (db: Database): void => {
  if (check(db) === migrations.length) return
  db.transaction(() => {
    // Another process may have been first.
    for (const migration of migrations.slice(check(db))) db.exec(migration)
    db.pragma(`application_id = ${APPLICATION}`)
    db.pragma(`user_version = ${migrations.length}`)
  }).immediate()
}

/** The version of a file that may be used. */
const check = (db: Database): number => {
  const version = Number(db.pragma("user_version", { simple: true }))
  const application = Number(db.pragma("application_id", { simple: true }))
  const tables = db.prepare<[], number>("SELECT count(*) FROM sqlite_schema").pluck().get()
  if (application !== APPLICATION && (tables !== 0 || version !== 0)) {
    throw refusal(`The database ${db.name} belongs to another program.`)
  }
  if (version > migrations.length) {
    throw refusal(
      `The database ${db.name} was written by a newer version: ` +
        `its format is ${version}, and this version knows formats up to ${migrations.length}.`
    )
  }
  return version
}

const refusal = (message: string): StoreError => new StoreError({ reason: "Unavailable", message })
