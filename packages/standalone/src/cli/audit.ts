/**
 * The command that audits the database.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as Audit from "@watchword/operator/Audit"
import { DatabaseCommands as Database } from "@watchword/operator/commands"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { requireTables } from "../Migrations.ts"
import * as Settings from "../settings/Settings.ts"
import * as Storage from "../Storage.ts"
import { counted } from "@watchword/operator/command"
import { explained, print } from "./root.ts"

/** Snapshots of the database of the settings, which must have the tables of this version. */
const layer = Layer.unwrap(
  Effect.map(Effect.fromResult(Settings.database(process.env)), (database) =>
    Storage.snapshots(database).pipe(
      Layer.provideMerge(ChannelRegistry.layerBuiltIn),
      Layer.provide(Layer.effectDiscard(requireTables(database)))
    )
  )
)

export const audit = Command.make(Database.audit.name[0], {}, () =>
  Effect.gen(function* () {
    const { checked, found, ok, violations } = yield* Audit.audit
    yield* print({ ok, violations, found, checked }, [
      ...violations.map(({ id, message, rule }) => `${rule}  ${id}  ${message}`),
      ...(found > violations.length ? [`… and ${found - violations.length} more`] : []),
      `${counted(checked.accounts, "account")}, ${counted(checked.entries, "entry", "entries")} and ` +
        `${counted(checked.deliveries, "delivery", "deliveries")}: ` +
        (ok ? "every rule holds." : `a rule is broken in ${counted(found, "row")}.`)
    ])
    if (!ok) yield* Effect.sync(() => void (process.exitCode = 1))
  }).pipe(Effect.provide(layer), explained)
).pipe(Command.withDescription(Database.audit.description))
