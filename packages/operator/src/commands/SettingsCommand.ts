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
  value: field(Schema.NullOr(Schema.String), "Null if it is not set, or is a secret."),
  usual: field(Schema.String, "The default; empty if there is none."),
  set: field(Schema.Boolean, "Whether it is set.")
})
export type StartSetting = typeof StartSetting.Type

/** The settings of the server; none for a service in an app, whose options are the app's own. */
export const StartSettings = Context.Reference<ReadonlyArray<StartSetting>>("watchword/internal/StartSettings", {
  defaultValue: () => []
})

export const list = Command.make({
  name: ["settings"],
  description: "Show the settings of the server asked, or of this command otherwise, without secrets",
  role: "operator",
  isLogged: false,
  input: wire({}),
  output: wire({ settings: Schema.Array(StartSetting) }),
  run: () => Effect.map(StartSettings, (settings) => ({ settings })),
  lines: ({ settings }) =>
    settings.length === 0
      ? ["The service runs inside an app, and its settings are in the app's code."]
      : settings.map(({ name, set, usual, value }) => `${name.padEnd(28)} ${value ?? (set ? "(set)" : usual || "-")}`)
})
