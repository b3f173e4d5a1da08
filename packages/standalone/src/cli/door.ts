/**
 * The command that prints an account's ids for apps that speak another interface, in the form of that interface.
 */
import { doorNames, idsOf, linesOf } from "@watchword/dev/Doors"
import { AccountId } from "@watchword/schemas/Ids"
import { exists } from "@watchword/store/Settings"
import { Workflows } from "@watchword/verify/operator"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Database from "../Database.ts"
import { originOf, reached, urlOf } from "../settings/ServerSettings.ts"
import { needsDatabase } from "./remote.ts"
import { explained, mistake, print } from "./root.ts"
import { Place } from "./where.ts"

const isAccountId = Schema.is(AccountId)

export const ids = Command.make(
  "ids",
  { account: Argument.String("account").pipe(Argument.withDescription("The account's id, acc_…")) },
  ({ account }) =>
    Effect.gen(function* () {
      if ((yield* Place) !== "here") return yield* needsDatabase("door ids")
      if (!isAccountId(account)) return yield* mistake("account must be an account's id, such as acc_01KAJ….")
      yield* Effect.gen(function* () {
        const address = yield* Effect.fromResult(reached(process.env))
        const origin = originOf(address) ?? urlOf(address)
        yield* exists(account)
        const workflows = [...(yield* Workflows.list(account)).keys()]
        const credentials = { account, key: null, workflows }
        const lines = yield* Effect.promise(() => linesOf(doorNames, origin, credentials))
        yield* print(yield* Effect.promise(() => idsOf(doorNames, origin, credentials)), lines)
      }).pipe(Effect.provide(Database.layer), explained)
    })
).pipe(Command.withDescription("Print the ids of an account at the doors, and the lines for SDKs"))
