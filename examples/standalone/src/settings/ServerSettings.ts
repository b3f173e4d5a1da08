/**
 * The settings of the server itself: where it listens, how it is reached, what it logs.
 */
import * as Networks from "@watchword/auth/internal/Networks"
import type { LogLevel } from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Environment, type Parse, type Read, portNumber, text, webAddress, whole, yesOrNo } from "./Reading.ts"
import { checkNeeds, optionalSetting, read, readOptional, setting } from "./Setting.ts"

const logLevels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  warning: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const

const isLogLevel = (text: string): text is keyof typeof logLevels => Object.hasOwn(logLevels, text)

const logLevel: Parse<LogLevel> = (value) => {
  const level = value.toLowerCase()
  return isLogLevel(level)
    ? Result.succeed(logLevels[level])
    : Result.fail(`must be one of ${Object.keys(logLevels).join(", ")}`)
}

const path: Parse<string> = (value) => {
  const trimmed = value.replace(/\/+$/, "")
  return trimmed === "" || /^(?:\/[A-Za-z0-9._~-]+)+$/.test(trimmed)
    ? Result.succeed(trimmed)
    : Result.fail("must be a path such as /v1")
}

const networks: Parse<ReadonlyArray<string>> = (value) => {
  const entries = value
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
  return Result.match(Networks.parse(entries), {
    onSuccess: () => Result.succeed(entries),
    onFailure: () => Result.fail("must be addresses and CIDR ranges separated by commas, such as 10.0.0.0/8")
  })
}

export const server = {
  host: setting("HOST", "127.0.0.1", text, { description: "the address at which it listens" }),
  port: setting("PORT", "8080", portNumber, { description: "the port" }),
  operationsHost: optionalSetting("OPERATIONS_HOST", text, {
    description: "the address of an own port for operators",
    unset: "127.0.0.1",
    needs: ["OPERATIONS_PORT"]
  }),
  operationsPort: optionalSetting("OPERATIONS_PORT", portNumber, {
    description:
      "a port for `/readyz`, `/metrics`, `/docs` and `/openapi.json`, which are then not on `PORT`; `/healthz` is on both, and `/handset` on neither"
  }),
  maxConnections: setting("MAX_CONNECTIONS", "10000", whole(1, 1_000_000), {
    description:
      "connections of customers; one more takes the place of the one that has been idle for longest, with a warning in the log"
  }),
  drainSeconds: setting("DRAIN_SECONDS", "0", whole(0, 3_600), {
    description: "how many seconds `/readyz` says 503 before a server that stops closes its port"
  }),
  docs: setting("DOCS", "yes", yesOrNo, {
    description: "`no` for a server without `/docs`, `/openapi.json` and `/handset`"
  }),
  demo: optionalSetting("DEMO", yesOrNo, {
    description: "whether a start makes a demo account with a sandbox key in an empty database, and prints the key",
    unset: "yes; no in the image, and where a gateway is set"
  }),
  trustTraceparent: setting("TRUST_TRACEPARENT", "no", yesOrNo, {
    description: "`yes` where all clients may continue their traces in this service, by `traceparent` or `b3`"
  }),
  basePath: setting("BASE_PATH", "/v1", path, { description: "prefix of every endpoint" }),
  publicUrl: optionalSetting("PUBLIC_URL", webAddress, {
    description: "how it is reached from outside, without the base path",
    unset: "http://HOST:PORT"
  }),
  trustedProxies: setting("TRUSTED_PROXIES", "", networks, {
    description: "addresses and CIDRs whose `X-Forwarded-For` is believed"
  }),
  logLevel: setting("LOG_LEVEL", "info", logLevel, {
    description: "trace, debug, info, warn, error, none; JSON lines on standard error when that is no terminal"
  }),
  otlpEndpoint: optionalSetting("OTEL_EXPORTER_OTLP_ENDPOINT", webAddress, {
    description: "receiver of traces, metrics and logs"
  })
}

export interface Address {
  readonly host: string
  readonly port: number
}

/** Where the server listens, and how it is reached. */
export interface Reached extends Address {
  /** Begins with a slash and does not end in one; empty for the root. */
  readonly basePath: string
  /** How the service is reached from outside, where that differs from where it listens. */
  readonly publicUrl: Option.Option<string>
}

export const reached = (environment: Environment): Read<Reached> =>
  Result.gen(function* () {
    return {
      host: yield* read(environment, server.host),
      port: yield* read(environment, server.port),
      basePath: yield* read(environment, server.basePath),
      publicUrl: yield* readOptional(environment, server.publicUrl)
    }
  })

/** Where gateways find the interface. */
export const gatewaysBaseUrl = (address: Reached): string =>
  baseUrlOf(address, `http://${address.host}:${address.port}`)

/**
 * Where the interface is.
 *
 * @param otherwise how the server is reached where PUBLIC_URL is not set
 */
export const baseUrlOf = (address: Pick<Reached, "basePath" | "publicUrl">, otherwise: string): string =>
  Option.getOrElse(address.publicUrl, () => otherwise) + (hasBasePath(address) ? "" : address.basePath)

/** Whether PUBLIC_URL ends with the base path, which is then not put behind it. */
export const hasBasePath = ({ basePath, publicUrl }: Pick<Reached, "basePath" | "publicUrl">): boolean =>
  basePath !== "" && Option.exists(publicUrl, (url) => new URL(url).pathname.endsWith(basePath))

/** The operators' own address; none unless its port is set. */
export const operations = (environment: Environment): Read<Option.Option<Address>> =>
  Result.gen(function* () {
    const host = yield* readOptional(environment, server.operationsHost)
    const port = yield* readOptional(environment, server.operationsPort)
    yield* checkNeeds(environment, Object.values(server))
    return Option.map(port, (port) => ({ host: Option.getOrElse(host, () => "127.0.0.1"), port }))
  })
