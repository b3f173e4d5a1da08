/**
 * The lines of the log that a test brings about.
 */
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Predicate from "effect/Predicate"
import * as References from "effect/References"

export interface Line {
  readonly level: string
  readonly text: string
  readonly annotations: Readonly<Record<string, unknown>>
}

export const logged = () => {
  const lines: Array<Line> = []
  const logger = Logger.make(({ logLevel, message }) => {
    const parts = Array.isArray(message) ? message : [message]
    const annotations = parts.find((part) => Predicate.isObject(part) && !Predicate.isString(part))
    lines.push({ level: logLevel, text: String(parts[0]), annotations: { ...annotations } })
  })
  return {
    lines,
    logger: Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, "Debug"))
  }
}
