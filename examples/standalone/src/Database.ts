/**
 * The services of the operator's command: accounts, ledger, keys, settings and events on the server's database.
 */
import { existsSync } from "node:fs"
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import * as AccountSettings from "@watchword/settings/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { requireTables, requireTablesUnlessEmpty } from "./Migrations.ts"
import * as Settings from "./Settings.ts"
import * as Storage from "./Storage.ts"

/** On the database of the settings, whose tables are made when it is empty. */
export const layer = Layer.unwrap(
  Effect.map(Effect.fromResult(Settings.database(process.env)), (database) =>
    on(database, Effect.andThen(tellOfNewFile(database), requireTablesUnlessEmpty(database)))
  )
)

/** On a database that must have its tables. */
export const reading = (database: Settings.Database) => on(database, requireTables(database))

/** On the database of the settings, which must have its tables. */
export const readingLayer = Layer.unwrap(Effect.map(Effect.fromResult(Settings.database(process.env)), reading))

const on = (database: Settings.Database, before: Effect.Effect<void, StoreError>) =>
  Layer.mergeAll(Accounts.layer, Keys.layer, Ledger.layer, AccountSettings.layer).pipe(
    Layer.provide(Authenticator.layer),
    Layer.provideMerge(Storage.layer(database)),
    Layer.provide(Layer.effectDiscard(before))
  )

/** A slip in DATABASE_URL opens another database, and answers as if accounts had gone. */
const tellOfNewFile = (database: Settings.Database): Effect.Effect<void> =>
  database._tag === "Sqlite" && !existsSync(database.file)
    ? Console.error(`There was no database ${database.file}; it was made.`)
    : Effect.void
