/**
 * The operator's command on the settings that a server was started with.
 */
import { field } from "@watchword/schemas/Field"
import * as Command from "../command/Command.ts"
import { wire } from "../command/Wire.ts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const StartSetting = wire({
  name: Schema.String,
  value: field(Schema.NullOr(Schema.String), "Null where it is not set, and where it is a secret."),
  usual: field(Schema.String, "What holds where it is not set; empty for nothing."),
  set: field(Schema.Boolean, "Whether it is set.")
})
export type StartSetting = typeof StartSetting.Type

/** The settings of the server; none for a service in an app, whose options are the app's own. */
export const StartSettings = Context.Reference<ReadonlyArray<StartSetting>>("watchword/internal/StartSettings", {
  defaultValue: () => []
})

export const list = Command.make({
  name: ["settings"],
  description: "Show the settings of the server that is asked, or else of this command, without secrets",
  role: "operator",
  isLogged: false,
  input: wire({}),
  output: wire({ settings: Schema.Array(StartSetting) }),
  run: () => Effect.map(StartSettings, (settings) => ({ settings })),
  lines: ({ settings }) =>
    settings.length === 0
      ? ["The service is part of an app, which has its settings."]
      : settings.map(({ name, set, usual, value }) => `${name.padEnd(28)} ${value ?? (set ? "(set)" : usual || "-")}`)
})
