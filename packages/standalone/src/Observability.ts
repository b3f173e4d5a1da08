/**
 * Logs, and traces and metrics where a collector is set.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as References from "effect/References"
import { jsonLines } from "watchword/Hosting"
import type { Settings } from "./settings/Settings.ts"

/**
 * Coloured lines on a terminal, else one JSON object a line; on standard error, apart from messages to the operator.
 */
export const observability = ({ logLevel, otlpEndpoint }: Settings): Layer.Layer<never> =>
  Layer.mergeAll(
    Logger.layer([process.stderr.isTTY ? Logger.consolePretty() : jsonLines((line) => console.error(line))]),
    Layer.succeed(References.MinimumLogLevel, logLevel),
    Option.match(otlpEndpoint, { onNone: () => Layer.empty, onSome: collector })
  )

const collector = (baseUrl: string): Layer.Layer<never> =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./Collector.ts")),
      ({ layer }) => layer(baseUrl)
    )
  )
