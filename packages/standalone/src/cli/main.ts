/**
 * The operator's command: accounts, credits, keys and settings, on the database of the server. It works while the
 * server runs.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { version } from "../Program.ts"
import * as failures from "./failures.ts"
import { needsDatabase } from "./remote.ts"
import { programNames, watchword } from "./watchword.ts"
import { Place, read } from "./where.ts"

const run = Command.runWith(watchword(version), { version, renderErrors: !failures.isJson })

const where = Effect.gen(function* () {
  const found = yield* read(process.argv.slice(2), process.env)
  const program = programNames.find((name) => name === found.args[0])
  return found.where !== "here" && program !== undefined ? yield* needsDatabase(program) : found
}).pipe(Effect.tapError(({ message }) => (failures.isJson ? Effect.void : Console.error(message))))

Effect.flatMap(where, ({ args, where }) => Effect.provideService(run(args), Place, where)).pipe(
  Effect.tapError((failure) => (failures.isJson ? failures.print(failure) : Effect.void)),
  Effect.tapDefect((fault) =>
    failures.isJson ? failures.print(fault) : Console.error(`The command failed: ${fault}`)
  ),
  Effect.provideService(References.MinimumLogLevel, "Warn"),
  Effect.provide(NodeServices.layer),
  Effect.provide(failures.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
