/**
 * A connection of its own that sees a file as it is at one moment, for as long as it is open. No step waits for it.
 */
import { StoreError } from "@watchword/store/StoreError"
import Sqlite, { type Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { existsSync } from "node:fs"
import { retryBusy } from "./retryBusy.ts"

/** Opens a file that exists, and closes it with the scope. */
export const begin = (filename: string): Effect.Effect<Database, StoreError, Scope> =>
  Effect.acquireRelease(
    retryBusy(() => open(filename), `The database ${filename} could not be read`),
    (db) => Effect.sync(() => db.close())
  )

const open = (filename: string): Database => {
  if (!existsSync(filename)) {
    throw new StoreError({ reason: "Unavailable", message: `There is no database ${filename}.` })
  }
  const db = new Sqlite(filename, { readonly: true, timeout: 0 })
  try {
    db.exec("BEGIN")
    // A transaction sees the file as it is at its first read.
    db.prepare("SELECT count(*) FROM sqlite_schema").get()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
