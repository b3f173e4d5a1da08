/**
 * The commands on routes of accounts, which precede those of the file of CARRIERS.
 */
import { Accounts } from "@watchword/ledger/Accounts"
import * as RouteAdmin from "@watchword/send/internal/routes/RouteAdmin"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Database from "../Database.ts"
import { readJson } from "./jsonFile.ts"
import { accountArgument, explained, mistake, print } from "./root.ts"

const set = Command.make(
  "set",
  {
    id: accountArgument,
    file: Argument.String("file").pipe(
      Argument.withDescription(
        "A file with the list of routes as JSON, as in the file of CARRIERS; - for standard input"
      )
    )
  },
  ({ file, id }) =>
    Effect.gen(function* () {
      const routes = yield* RouteAdmin.setRoutes(id, yield* readJson(file))
      yield* print({ account_id: id, routes }, [
        `Messages of account ${id} take these routes within a second, before those of the installation.`
      ])
    }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Set the routes of an account"))

const show = Command.make("show", { id: accountArgument }, ({ id }) =>
  Effect.gen(function* () {
    yield* Accounts.use((accounts) => accounts.get(id))
    const routes = yield* RouteAdmin.routesOf(id)
    yield* print({ account_id: id, routes }, [
      routes === null ? `Account ${id} has no routes of its own.` : JSON.stringify(routes, null, 2)
    ])
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Show the routes of an account"))

const remove = Command.make("remove", { id: accountArgument }, ({ id }) =>
  Effect.gen(function* () {
    if (!(yield* RouteAdmin.removeRoutes(id))) return yield* mistake(`Account ${id} has no routes of its own.`)
    yield* print({ account_id: id, removed: true }, [`Messages of account ${id} take the routes of the installation.`])
  }).pipe(Effect.provide(Database.layer), explained)
).pipe(Command.withDescription("Take the routes of an account away"))

export const route = Command.make("route").pipe(
  Command.withDescription("Routes of an account among the carriers"),
  Command.withSubcommands([set, show, remove])
)
