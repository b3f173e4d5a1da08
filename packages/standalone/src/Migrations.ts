/**
 * Whether a database has the tables that this program works on. A start of the server and `watchword migrate` see to
 * it; other commands migrate nothing, because servers of an older version may work on the database.
 */
import { type Status, refusal } from "@watchword/store/Migrator"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import type { Database } from "./settings/DatabaseSettings.ts"
import * as Storage from "./Storage.ts"

/** Why this program cannot work on the database as it is, or null. */
export const problem = (status: Status): string | null => {
  const { database, pending, program } = status
  const refused = refusal("The database", status)
  if (refused !== null) return refused.message
  if (pending.length === 0) return null
  return database === 0
    ? "The database has no tables yet: run `watchword migrate`, or start the server."
    : `The database has version ${database}, and this program needs version ${program}: run \`watchword migrate\`.`
}

/** Fails for a database on which this program cannot work as it is. */
export const requireTables = (database: Database): Effect.Effect<void, StoreError> =>
  database._tag === "Sqlite" && !existsSync(database.file)
    ? Effect.fail(new StoreError({ reason: "Unavailable", message: missing(database.file) }))
    : Effect.flatMap(Storage.migrator(database).status, usable)

const missing = (file: string): string =>
  `There is no database ${file}, which DATABASE_URL names: run the command in the folder of the server and with its ` +
  "settings, or start the server."

/** The same for a command that may be the first on an empty database, whose tables are then made. */
export const requireTablesUnlessEmpty = (database: Database): Effect.Effect<void, StoreError> =>
  Effect.flatMap(Storage.migrator(database).status, (status) => (status.database === 0 ? Effect.void : usable(status)))

const usable = (status: Status): Effect.Effect<void, StoreError> => {
  const message = problem(status)
  return message === null ? Effect.void : Effect.fail(new StoreError({ reason: "Unavailable", message }))
}
