/**
 * The version of a database file: the tables of a new file, and refusal of files that are not Watchword's.
 */
import { StoreError } from "@watchword/store/StoreError"
import type { Database } from "better-sqlite3"
import { FORMAT, tables } from "./schema.ts"

/** SQLite's `application_id` of Watchword's files: "WWRD". */
const APPLICATION = 0x57575244

/**
 * Creates the tables of a file that has none. Safe when several processes start at once.
 *
 * Throws a `StoreError` for a file of another version or another program, and leaves it unchanged.
 */
export const migrate = (db: Database): void => {
  if (formatOf(db) === FORMAT) return
  db.transaction(() => {
    // Another process may have created the tables since.
    if (formatOf(db) === FORMAT) return
    db.exec(tables)
    db.pragma(`application_id = ${APPLICATION}`)
    db.pragma(`user_version = ${FORMAT}`)
  }).immediate()
}

/** The format of a file: {@link FORMAT}, or 0 for an empty one. */
const formatOf = (db: Database): number => {
  const format = Number(db.pragma("user_version", { simple: true }))
  const application = Number(db.pragma("application_id", { simple: true }))
  const objects = db.prepare<[], number>("SELECT count(*) FROM sqlite_schema").pluck().get()
  if (application !== APPLICATION && (objects !== 0 || format !== 0)) {
    throw refusal(`The database ${db.name} belongs to another program.`)
  }
  if (format !== FORMAT && format !== 0) {
    throw refusal(
      `The database ${db.name} was written by another version: ` +
        `its format is ${format}, and this version reads format ${FORMAT}.`
    )
  }
  return format
}

const refusal = (message: string): StoreError => new StoreError({ reason: "Unavailable", message })
