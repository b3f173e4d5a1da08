/**
 * The operator's command: accounts, credits, keys and settings, on the database of the server. It works while the
 * server runs.
 */
import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { account } from "./account.ts"
import { audit } from "./audit.ts"
import { backup, restore } from "./backup.ts"
import { check } from "./check.ts"
import { guard } from "./guard.ts"
import { key } from "./key.ts"
import { migrate } from "./migrate.ts"
import { erase, retention } from "./retention.ts"
import { root } from "./root.ts"
import { template } from "./template.ts"
import { webhook } from "./webhook.ts"
import { why } from "./why.ts"

const version = (): string => JSON.parse(readFileSync(findPackageJSON("..", import.meta.url) ?? "", "utf8")).version

/** With --json the standard output has answers alone: the help that follows a mistake is on standard error. */
const answersAlone = Layer.effect(
  Console.Console,
  Effect.map(Console.Console, (console) =>
    process.argv.includes("--json") ? { ...console, log: (...texts) => console.error(...texts) } : console
  )
)

root.pipe(
  Command.withSubcommands([
    account,
    audit,
    backup,
    check,
    erase,
    guard,
    key,
    migrate,
    restore,
    retention,
    template,
    webhook,
    why
  ]),
  Command.run({ version: version() }),
  Effect.provideService(References.MinimumLogLevel, "Warn"),
  Effect.provide(NodeServices.layer),
  Effect.provide(answersAlone),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
