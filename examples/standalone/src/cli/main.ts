/**
 * The operator's command: accounts, credits, keys and settings, on the database of the server. It works while the
 * server runs.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { version } from "../Program.ts"
import * as failures from "./failures.ts"
import { watchword } from "./watchword.ts"

watchword(version).pipe(
  Command.run({ version, renderErrors: !failures.isJson }),
  Effect.tapError((failure) => (failures.isJson ? failures.print(failure) : Effect.void)),
  Effect.provideService(References.MinimumLogLevel, "Warn"),
  Effect.provide(NodeServices.layer),
  Effect.provide(failures.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
