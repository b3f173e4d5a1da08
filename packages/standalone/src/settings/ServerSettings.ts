/**
 * The settings of the server itself: its addresses, how it is reached, and its log.
 */
import * as Networks from "@watchword/auth/Networks"
import { type DoorName, doorNames } from "@watchword/dev/Doors"
import { isRole } from "@watchword/operator/identity"
import type { ByProxy } from "@watchword/operator/identity"
import type { Role } from "@watchword/operator/command"
import type { LogLevel } from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Environment, type Parse, type Read, portNumber, text, webAddress, whole, yesOrNo } from "./Reading.ts"
import { checkNeeds, isSet, optionalSetting, read, readOptional, setting } from "./Setting.ts"

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

const hostNames: Parse<ReadonlyArray<string>> = (value) => {
  const names = value
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "")
  return names.every((name) => URL.canParse(`http://${name}`) && new URL(`http://${name}`).host === name)
    ? Result.succeed(names)
    : Result.fail("must be host names without ports, separated by commas, such as ops.example.com")
}

const headerName: Parse<string> = (value) =>
  /^[A-Za-z0-9-]+$/.test(value)
    ? Result.succeed(value.toLowerCase())
    : Result.fail("must be the name of a header, such as X-Forwarded-User")

const userRoles: Parse<ReadonlyMap<string, Role>> = (value) => {
  const roles = new Map<string, Role>()
  for (const entry of value.split(",")) {
    const [, user, role] = /^(.+)=([a-z]+)$/.exec(entry.trim()) ?? []
    if (user === undefined || !isRole(role)) {
      return Result.fail("must be users and roles such as anna=admin,bob=operator,*=support")
    }
    roles.set(user.trim(), role)
  }
  return Result.succeed(roles)
}

const doors: Parse<ReadonlyArray<DoorName>> = (value) => {
  const given = value.split(",").map((name) => name.trim())
  const named = doorNames.filter((name) => given.includes(name))
  return value !== "" && named.length < new Set(given).size
    ? Result.fail(`must be one or more of ${doorNames.join(", ")}, separated by commas`)
    : Result.succeed(named)
}

const flash: Parse<"flash"> = (value) => (value === "flash" ? Result.succeed(value) : Result.fail("must be flash"))

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
      "a port for `/readyz`, `/metrics`, `/docs` and `/openapi.json`, which `PORT` then no longer serves; `/healthz` is on both ports, and `/handset` on neither"
  }),
  maxConnections: setting("MAX_CONNECTIONS", "10000", whole(1, 1_000_000), {
    description:
      "the most connections of customers; a new connection then replaces the longest idle connection, with a warning in the log"
  }),
  drainSeconds: setting("DRAIN_SECONDS", "0", whole(0, 3_600), {
    description: "how many seconds `/readyz` says 503 before a server that stops closes its port"
  }),
  console: optionalSetting("CONSOLE", yesOrNo, {
    description:
      "whether there are `/console` and `/operator/v1`, which need an operator's token; `yes` has them on `PORT` too where " +
      "operators have no port of their own",
    unset: "yes with `OPERATIONS_PORT`, no without"
  }),
  consoleUserHeader: optionalSetting("CONSOLE_USER_HEADER", headerName, {
    description:
      "a header, such as `X-Forwarded-User`, in which a proxy of `CONSOLE_PROXIES` names the operator; it must take the header " +
      "out of what clients send",
    needs: ["CONSOLE_ROLES", "CONSOLE_PROXIES", "OPERATIONS_PORT"]
  }),
  consoleProxies: optionalSetting("CONSOLE_PROXIES", networks, {
    description:
      "addresses and CIDRs of the proxy that signs operators in, whose `CONSOLE_USER_HEADER` is trusted; a program that can send " +
      "from these addresses can sign in as any operator",
    needs: ["CONSOLE_USER_HEADER"]
  }),
  consoleHosts: setting("CONSOLE_HOSTS", "", hostNames, {
    description:
      "host names, such as `ops.example.com`, under which browsers open the console and the operators' port, in addition to addresses, " +
      "names without a dot and, on `PORT`, that of `PUBLIC_URL`"
  }),
  consoleRoles: optionalSetting("CONSOLE_ROLES", userRoles, {
    description: "the roles of those users, such as `anna=admin,bob=operator,*=support`; `*` is for all others",
    needs: ["CONSOLE_USER_HEADER"]
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
  doors: setting("DOORS", "", doors, {
    description:
      "[doors](../doors.md) for apps that speak another verify API: `twilio` at `/twilio`, `vonage` at `/vonage`, `camara` at `/one-time-password-sms/v1`"
  }),
  doorCalls: optionalSetting("DOOR_CALLS", flash, {
    description:
      "`flash` has doors place flash calls if an app asks for a spoken code; by default doors refuse, because no call reads a code",
    needs: ["DOORS"]
  }),
  trustedProxies: setting("TRUSTED_PROXIES", "", networks, {
    description: "addresses and CIDRs whose `X-Forwarded-For` is trusted"
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

/** PUBLIC_URL without the base path; null if it is not set. */
export const originOf = (address: Pick<Reached, "basePath" | "publicUrl">): string | null =>
  Option.match(address.publicUrl, {
    onNone: () => null,
    onSome: (url) => (hasBasePath(address) ? url.slice(0, -address.basePath.length) : url)
  })

/** Whether PUBLIC_URL ends with the base path, which is then not put behind it. */
export const hasBasePath = ({ basePath, publicUrl }: Pick<Reached, "basePath" | "publicUrl">): boolean =>
  basePath !== "" && Option.exists(publicUrl, (url) => new URL(url).pathname.endsWith(basePath))

/** Whether there is a console on the port of operators, and on that of customers where operators have no port. */
export interface ConsoleSettings {
  readonly isServed: boolean
  /** A proxy that names the user of each request. */
  readonly proxy: Option.Option<ByProxy>
  /** Host names of the console and of the operators' port. */
  readonly hosts: ReadonlyArray<string>
}

export const readConsole = (environment: Environment): Read<ConsoleSettings> =>
  Result.gen(function* () {
    const isWanted = yield* readOptional(environment, server.console)
    const header = yield* readOptional(environment, server.consoleUserHeader)
    const roles = yield* readOptional(environment, server.consoleRoles)
    const proxies = yield* readOptional(environment, server.consoleProxies)
    const hosts = yield* read(environment, server.consoleHosts)
    const isServed = Option.getOrElse(isWanted, () => isSet(environment, server.operationsPort.name))
    const proxy = Option.map(Option.all({ header, roles, addresses: proxies }), (proxy): ByProxy => proxy)
    return { isServed, proxy, hosts }
  })

/** The address of the console for a browser on this machine; null if none is served. */
export const consoleUrl = (environment: Environment): Read<string | null> =>
  Result.gen(function* () {
    const { isServed } = yield* readConsole(environment)
    const own = yield* operations(environment)
    const { host, port } = Option.isSome(own) ? own.value : yield* reached(environment)
    return isServed ? `${urlOf({ host, port })}/console/` : null
  })

/** An address that a client on this machine can ask. */
export const urlOf = ({ host, port }: Address): string =>
  `http://${isWildcard(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host}:${port}`

export const isWildcard = (host: string): boolean => host === "0.0.0.0" || host === "::"

/** The operators' own address; none unless its port is set. */
export const operations = (environment: Environment): Read<Option.Option<Address>> =>
  Result.gen(function* () {
    const host = yield* readOptional(environment, server.operationsHost)
    const port = yield* readOptional(environment, server.operationsPort)
    yield* checkNeeds(environment, Object.values(server))
    return Option.map(port, (port) => ({ host: Option.getOrElse(host, () => "127.0.0.1"), port }))
  })
