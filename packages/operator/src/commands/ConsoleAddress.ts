/**
 * The address of the console of the server that started last, for commands in a shell without the settings of that
 * server.
 */
import * as Setting from "@watchword/store/Setting"
import { Settings, valueOf } from "@watchword/store/Settings"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const address = Setting.make({ name: "console-url", title: "address of the console", schema: Schema.String })

/** Null before a server has kept one. */
export const read = valueOf(null, address)

/** Keeps an address unless the store has it. A server starts even if the store refuses. */
export const keep = (url: string) =>
  Effect.ignore(
    Effect.gen(function* () {
      if ((yield* read) !== url) yield* Settings.use((settings) => settings.set(null, address, url))
    })
  )
