/**
 * The command that moves an account to the PostgreSQL of another cell.
 */
import { readFileSync } from "node:fs"
import { AccountId } from "@watchword/schemas/Ids"
import { toEuros } from "@watchword/schemas/Money"
import { Store } from "@watchword/store/Store"
import { counted } from "@watchword/operator/command"
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import * as Argument from "effect/cli/Argument"
import { DatabaseCommands as Database } from "@watchword/operator/commands"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Move from "../../cells/Move.ts"
import { requireTables } from "../../Migrations.ts"
import * as Settings from "../../settings/Settings.ts"
import * as Storage from "../../Storage.ts"
import { explained, mistake, print } from "../root.ts"

export const move = Command.make(
  Database.move.name[0],
  {
    account: Argument.String("account").pipe(Argument.withDescription("The account's id, acc_…")),
    to: Flag.String("to").pipe(
      Flag.withDescription("The file with the postgres:// address of the other cell's database"),
      Flag.withMetavar("FILE")
    ),
    schema: Flag.String("schema").pipe(
      Flag.withDescription("The schema there; watchword unless given"),
      Flag.withDefault("watchword")
    ),
    wait: Flag.Int("wait").pipe(
      Flag.withDescription("Minutes to wait for messages and verifications that are under way; 15 unless given"),
      Flag.withDefault(15)
    ),
    giveUp: Flag.Boolean("give-up").pipe(
      Flag.withDescription("Take back a move that has copied nothing yet: the account acts again where it is"),
      Flag.withDefault(false)
    )
  },
  ({ account, giveUp, schema, to, wait }) =>
    Effect.gen(function* () {
      const from = yield* Effect.fromResult(Settings.database(process.env))
      if (from._tag === "Sqlite")
        return yield* mistake("move works on PostgreSQL: DATABASE_URL names a file of SQLite.")
      const other = { ...from, url: yield* addressIn(to), schema, connections: 3, direct: Option.none() }
      const id = yield* Effect.mapError(Schema.decodeUnknownEffect(AccountId)(account), () =>
        mistake("ACCOUNT must be the id of an account, acc_….")
      )
      const moved = yield* Effect.scoped(
        Effect.gen(function* () {
          yield* sameVersion(from, other)
          const { PostgresStore } = yield* Effect.promise(() => import("@watchword/store-postgres"))
          const installations = {
            from: yield* opened(from),
            to: yield* opened(other),
            mover: yield* PostgresStore.mover(from, other),
            name: nameOf(other.url, schema)
          }
          if (giveUp) return yield* Effect.as(Move.giveUp(installations, id), null)
          return yield* Move.move(installations, id, { wait: Duration.toMillis(Duration.minutes(wait)) })
        })
      )
      if (moved === null)
        return yield* print({ account_id: id, given_up: true }, [`Account ${id} stays here, as it was.`])
      const { amount, deliveries, entries, returned } = moved
      yield* print({ account_id: id, deliveries, entries, euros: toEuros(amount), returned: toEuros(returned) }, [
        `Account ${id} is in the other cell, with ${toEuros(amount)} EUR, ${counted(entries, "entry", "entries")} and ` +
          `${counted(deliveries, "record")}.`,
        ...(returned > 0 ? [`${toEuros(returned)} EUR came back here in the meantime, and moved too.`] : []),
        "Now write the proxy's map: watchword --cells FILE cells map"
      ])
    }).pipe(explained)
).pipe(Command.withDescription(Database.move.description))

type Database = Parameters<typeof Storage.layer>[0]

const opened = (database: Database) =>
  Effect.map(Layer.build(Layer.provide(Storage.layer(database), ChannelRegistry.layerBuiltIn)), Context.get(Store))

/** A copy is of rows as one version has them. */
const sameVersion = Effect.fnUntraced(function* (from: Database, to: Database) {
  yield* requireTables(from)
  yield* requireTables(to)
  const [here, there] = [yield* Storage.migrator(from).status, yield* Storage.migrator(to).status]
  if (here.database === there.database && here.database === here.program) return
  return yield* mistake(
    `The databases must have the version ${here.program} of this program: here is ${here.database}, there ${there.database}.`
  )
})

const addressIn = (file: string) =>
  Effect.flatMap(
    Effect.try({
      try: () => readFileSync(file, "utf8").trim(),
      catch: () => mistake(`The file ${file} of --to cannot be read.`)
    }),
    (text) =>
      /^postgres(?:ql)?:\/\//.test(text)
        ? Effect.succeed(Redacted.make(text))
        : Effect.fail(mistake(`The file ${file} of --to must hold a postgres:// address.`))
  )

/** Hosts, database and schema, without who connects and how. */
const nameOf = (url: Redacted.Redacted<string>, schema: string): string => {
  const [, place = ""] = /^[a-z]+:\/\/(?:[^@/]*@)?([^?]*)/.exec(Redacted.value(url)) ?? []
  return `${place} ${schema}`
}
