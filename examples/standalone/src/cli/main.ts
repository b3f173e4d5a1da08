/**
 * The operator's command: accounts, credits, keys and settings, on the database of the server. It works while the
 * server runs.
 */
import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { account } from "./account.ts"
import { audit } from "./audit.ts"
import { backup, restore } from "./backup.ts"
import { carrier } from "./carrier.ts"
import { check } from "./check.ts"
import { dev } from "./dev.ts"
import * as failures from "./failures.ts"
import { guard } from "./guard.ts"
import { key } from "./key.ts"
import { migrate } from "./migrate.ts"
import { erase, retention } from "./retention.ts"
import { root } from "./root.ts"
import { route } from "./route.ts"
import { template } from "./template.ts"
import { webhook } from "./webhook.ts"
import { why } from "./why.ts"

const version = (): string => JSON.parse(readFileSync(findPackageJSON("..", import.meta.url) ?? "", "utf8")).version

root.pipe(
  Command.withSubcommands([
    account,
    audit,
    backup,
    carrier,
    check,
    dev(version()),
    erase,
    guard,
    key,
    migrate,
    restore,
    retention,
    route,
    template,
    webhook,
    why
  ]),
  Command.run({ version: version(), renderErrors: !failures.isJson }),
  Effect.tapError((failure) => (failures.isJson ? failures.print(failure) : Effect.void)),
  Effect.provideService(References.MinimumLogLevel, "Warn"),
  Effect.provide(NodeServices.layer),
  Effect.provide(failures.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
