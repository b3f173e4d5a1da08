/**
 * The services of the operator's command: accounts, ledger, keys and settings on the server's database.
 */
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import * as AccountSettings from "@watchword/settings/Settings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Settings from "./Settings.ts"
import * as Storage from "./Storage.ts"

export const layer = Layer.unwrap(
  Effect.map(Effect.fromResult(Settings.database(process.env)), (database) =>
    Layer.mergeAll(Accounts.layer, Keys.layer, Ledger.layer, AccountSettings.layer).pipe(
      Layer.provide(Authenticator.layer),
      Layer.provide(Storage.layer(database))
    )
  )
)
