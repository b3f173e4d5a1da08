/**
 * The services of the operator's command: accounts, ledger, keys, settings and events on the server's database.
 */
import { existsSync } from "node:fs"
import * as Authenticator from "@watchword/auth/Authenticator"
import * as Keys from "@watchword/auth/Keys"
import { WebhookSender, makeWebhookSender } from "@watchword/events/Events"
import * as Accounts from "@watchword/ledger/Accounts"
import * as Ledger from "@watchword/ledger/Ledger"
import { builtInChannels } from "watchword/Hosting"
import * as AccountSettings from "@watchword/store/Settings"
import { InstallationSecret } from "@watchword/send/pipeline"
import type { StoreError } from "@watchword/store/StoreError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { requireTables, requireTablesUnlessEmpty } from "./Migrations.ts"
import * as Program from "./Program.ts"
import * as Secret from "./Secret.ts"
import * as Settings from "./settings/Settings.ts"
import * as Storage from "./Storage.ts"

/** On the database of the environment's settings, which must have its tables. */
export const layer = Layer.unwrap(
  Effect.map(Effect.fromResult(Settings.ofCommand(process.env)), (settings) => of(settings))
)

/** On the database of settings, which must have its tables. */
export const of = (settings: Settings.OfCommand) => on(settings, requireTables(settings.database))

/**
 * The same for the command that opens an account, which may be the first on a database: its tables are made when it is
 * empty.
 */
export const creatingLayer = Layer.unwrap(
  Effect.map(Effect.fromResult(Settings.ofCommand(process.env)), (settings) =>
    on(settings, Effect.andThen(tellOfNewFile(settings.database), requireTablesUnlessEmpty(settings.database)))
  )
)

const on = ({ database, secret, webhookAllowPrivate }: Settings.OfCommand, before: Effect.Effect<void, StoreError>) =>
  Layer.mergeAll(Accounts.layer, Keys.layer, Ledger.layer, AccountSettings.layer).pipe(
    Layer.provideMerge(Authenticator.layer),
    Layer.provideMerge(Storage.layer(database)),
    Layer.provideMerge(builtInChannels),
    Layer.provideMerge(Program.layer(database)),
    Layer.provideMerge(Layer.sync(InstallationSecret, () => Secret.known({ database, secret }))),
    Layer.provideMerge(Layer.sync(WebhookSender, () => makeWebhookSender({ allowPrivate: webhookAllowPrivate }))),
    Layer.provide(Layer.effectDiscard(before))
  )

/** A slip in DATABASE_URL opens another database, and answers as if accounts had gone. */
const tellOfNewFile = (database: Settings.Settings["database"]): Effect.Effect<void> =>
  database._tag === "Sqlite" && !existsSync(database.file)
    ? Console.error(`There was no database ${database.file}; it was created.`)
    : Effect.void
