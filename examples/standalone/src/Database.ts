/**
 * The services of the operator's command: accounts, ledger, keys, settings and events on the server's database.
 */
import { existsSync } from "node:fs"
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import * as AccountSettings from "@watchword/settings/Settings"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Settings from "./Settings.ts"
import * as Storage from "./Storage.ts"

export const layer = Layer.unwrap(
  Effect.map(Effect.fromResult(Settings.database(process.env)), (database) =>
    Layer.mergeAll(Accounts.layer, Keys.layer, Ledger.layer, AccountSettings.layer).pipe(
      Layer.provide(Authenticator.layer),
      Layer.provideMerge(Storage.layer(database)),
      Layer.provide(Layer.effectDiscard(tellOfNewFile(database)))
    )
  )
)

/** A slip in DATABASE_URL opens another database, and answers as if accounts had gone. */
const tellOfNewFile = (database: Settings.Database): Effect.Effect<void> =>
  database._tag === "Sqlite" && !existsSync(database.file)
    ? Console.error(`There was no database ${database.file}; it was made.`)
    : Effect.void
