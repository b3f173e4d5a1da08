/**
 * The operator's commands on accounts' routes, which precede the installation's.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { field } from "@watchword/schemas/Field"
import * as Command from "../command/Command.ts"
import { exists } from "@watchword/store/Settings"
import { account, accountOf, as, wire } from "../command/Wire.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { RouteInput, removeRoutes, routesOf, setRoutes } from "@watchword/send/routes"

const Routes = Schema.Array(RouteInput)

export const set = Command.make({
  name: ["route", "set"],
  description: "Set an account's routes to carriers",
  role: "operator",
  input: wire({
    account,
    routes: as({ words: [] }, field(Schema.Unknown, "A JSON file with a list of routes; - for standard input"))
  }),
  positional: ["account", "routes"],
  output: wire({ account: accountOf, routes: Routes }),
  before: ({ account }) => routesOf(account),
  run: ({ account, routes }) => Effect.map(setRoutes(account, routes), (routes) => ({ account, routes })),
  lines: ({ account }) => [
    `Within a second, messages of account ${account} use these routes before the installation's routes.`
  ]
})

export const show = Command.make({
  name: ["route", "show"],
  description: "Show the routes of an account",
  role: "support",
  input: wire({ account }),
  positional: ["account"],
  output: wire({ account: accountOf, routes: Schema.NullOr(Routes) }),
  run: ({ account }) =>
    Effect.andThen(
      exists(account),
      Effect.map(routesOf(account), (routes) => ({ account, routes }))
    ),
  lines: ({ account, routes }) => [
    routes === null ? `Account ${account} has no routes of its own.` : JSON.stringify(routes, null, 2)
  ]
})

export const remove = Command.make({
  name: ["route", "remove"],
  description: "Remove an account's routes",
  role: "operator",
  input: wire({ account }),
  positional: ["account"],
  output: wire({ account: accountOf }),
  before: ({ account }) => routesOf(account),
  run: Effect.fnUntraced(function* ({ account }) {
    if (yield* removeRoutes(account)) return { account }
    return yield* new BadRequest({ message: `Account ${account} has no routes of its own.` })
  }),
  lines: ({ account }) => [`Messages of account ${account} use the installation's routes.`]
})
