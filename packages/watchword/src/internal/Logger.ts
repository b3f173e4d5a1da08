/**
 * Logs of a service for the logger of the app around it: a line of text, and its fields. No line has a code, a text, a
 * key or a whole phone number.
 */
import * as Cause from "effect/Cause"
import * as Layer from "effect/Layer"
import * as EffectLogger from "effect/Logger"
import type * as LogLevel from "effect/LogLevel"
import * as Predicate from "effect/Predicate"
import * as References from "effect/References"

/** The fields of a line. `error` says what failed, and `stack` where. */
export type Fields = Readonly<Record<string, unknown>>

type Log = (message: string, fields: Fields) => void

/**
 * A logger by the names that loggers have in common. `console`, winston and pino fit as they are; pino, which Fastify
 * has as `app.log`, gets the fields first, as it wants them. Lines of a level without a function are not made.
 *
 * @example
 * ```ts
 * import { createWatchword, memory } from "watchword"
 *
 * const logger = { warn: console.warn, error: console.error }
 * const service = await createWatchword({ store: memory(), logger })
 * await service.dispose()
 * ```
 */
export interface Logger {
  /** Each request with its method, route, status and duration, and why a key was refused. */
  readonly debug?: Log
  readonly info?: Log
  readonly warn?: Log
  readonly error?: Log
}

const names = ["debug", "info", "warn", "error"] as const

type Name = (typeof names)[number]

const levels: { readonly [N in Name]: LogLevel.LogLevel } = {
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error"
}

/** Whether a value is an object with one of the functions of a logger. */
export const isLogger = (value: unknown): boolean =>
  Predicate.isObject(value) && names.some((name) => Predicate.isFunction(Reflect.get(value, name)))

/** Has a logger written to from the least of its levels on. */
export const layer = (logger: Logger): Layer.Layer<never> => {
  const least = names.find((name) => logger[name] !== undefined)
  return Layer.merge(
    EffectLogger.layer([toEffect(logger), EffectLogger.tracerLogger]),
    Layer.succeed(References.MinimumLogLevel, least === undefined ? "None" : levels[least])
  )
}

const toEffect = (logger: Logger): EffectLogger.Logger<unknown, void> => {
  const isPino = Predicate.hasProperty(logger, "bindings") && Predicate.isFunction(logger.bindings)
  return EffectLogger.make((options) => {
    const { fields, message } = lineOf(options)
    const name = nameOf(options.logLevel)
    try {
      if (isPino) Reflect.apply(logger[name] ?? ignore, logger, [fields, message])
      else logger[name]?.(message, fields)
    } catch {
      // A logger that fails must not end a send.
    }
  })
}

const ignore = (): void => {}

const nameOf = (level: LogLevel.LogLevel): Name => {
  switch (level) {
    case "Fatal":
    case "Error":
      return "error"
    case "Warn":
      return "warn"
    case "Info":
      return "info"
    default:
      return "debug"
  }
}

/** Writes each line as one JSON object: `timestamp`, `level`, `message`, then its fields. */
export const jsonLines = (write: (line: string) => void): EffectLogger.Logger<unknown, void> =>
  EffectLogger.make((options) => {
    const { fields, message } = lineOf(options)
    const head = { timestamp: options.date.toISOString(), level: nameOf(options.logLevel), message }
    write(JSON.stringify({ ...head, ...fields, ...head }, replaced))
  })

const { console } = globalThis

/** Warnings and errors on the console, each on one line. */
export const toConsole: Layer.Layer<never> = layer({
  warn: (message, fields) => console.warn(textOf(message, fields)),
  error: (message, fields) => console.error(textOf(message, fields))
})

const textOf = (message: string, fields: Fields): string =>
  Object.keys(fields).length === 0 ? message : `${message} ${JSON.stringify(fields, replaced)}`

const replaced = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)

interface Line {
  readonly message: string
  readonly fields: Fields
}

/** The texts of a message make the line; its objects, annotations and errors are fields. */
const lineOf = ({ cause, fiber, message }: EffectLogger.Options<unknown>): Line => {
  const parts = Array.isArray(message) ? message : [message]
  const texts: Array<string> = []
  const fields: Record<string, unknown> = { ...fiber.getRef(References.CurrentLogAnnotations) }
  for (const part of parts) {
    if (part instanceof Error) Object.assign(fields, failureOf(part))
    else if (Predicate.isObject(part)) Object.assign(fields, part)
    else texts.push(String(part))
  }
  if (cause.reasons.length > 0) Object.assign(fields, failureOf(Cause.squash(cause)))
  return { message: texts.join(" "), fields }
}

const failureOf = (error: unknown): Fields =>
  error instanceof Error
    ? { error: `${error.name}: ${error.message}`, ...(error.stack === undefined ? {} : { stack: error.stack }) }
    : { error: String(error) }
