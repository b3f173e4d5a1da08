/**
 * The settings of the standalone server, read from the environment.
 */
import { accessSync, constants, existsSync } from "node:fs"
import { dirname } from "node:path"
import * as Networks from "@watchword/auth/Networks"
import type * as WhatsApp from "@watchword/bizchat/whatsapp"
import * as Sip from "@watchword/call/sip/Options"
import type * as Telegram from "@watchword/chatgw/telegram"
import * as DefaultRules from "@watchword/guards/DefaultRules"
import * as Rules from "@watchword/guards/Rules"
import * as PriceTable from "@watchword/ledger/PriceTable"
import * as Smpp from "@watchword/sms/smpp/Options"
import type { LogLevel } from "effect/LogLevel"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as ChatSettings from "./ChatSettings.ts"
import * as Hooks from "./Hooks.ts"
import * as Secret from "./Secret.ts"
import * as SecretFiles from "./SecretFiles.ts"
import * as SmsSettings from "./SmsSettings.ts"
import {
  type Environment,
  type Parse,
  type Read,
  fault,
  jsonFile,
  one,
  optional,
  text,
  webAddress,
  yesOrNo
} from "./Reading.ts"

export { SettingError } from "./Reading.ts"

export interface Address {
  readonly host: string
  readonly port: number
}

export interface Settings extends Address {
  /** Where health, metrics and pages are, when they are not on the customers' port. */
  readonly operations: Option.Option<Address>
  readonly maxConnections: number
  /** How long `/readyz` says 503 before the server closes its ports. */
  readonly drainSeconds: number
  /** Whether there are `/docs` and `/openapi.json`. */
  readonly docs: boolean
  /** Whether the start makes a demo account in an empty database: unless set, where no gateway is. */
  readonly demo: boolean
  /** Whether requests continue the traces that their headers name. */
  readonly trustTraceparent: boolean
  /** Begins with a slash and does not end in one; empty for the root. */
  readonly basePath: string
  /** How the service is reached from outside, where that differs from where it listens. */
  readonly publicUrl: Option.Option<string>
  readonly database: Database
  /** The secrets of the installation, where they are set. */
  readonly secret: Option.Option<Secret.Secrets>
  readonly trustedProxies: ReadonlyArray<string>
  readonly prices: Option.Option<PriceTable.PriceTable>
  /** The rules of guards of accounts without their own; the default ones unless set. */
  readonly guards: Option.Option<Rules.Rules>
  /** Whether webhooks may go to private, loopback and link-local addresses. */
  readonly webhookAllowPrivate: boolean
  readonly sip: Option.Option<Sip.Options>
  readonly smpp: Option.Option<Smpp.Options>
  readonly smsHttp: Option.Option<SmsSettings.SmsHttp>
  readonly chatgw: Option.Option<Telegram.Options>
  readonly bizchat: Option.Option<WhatsApp.Options>
  /** The hooks of identity servers. */
  readonly hooks: Option.Option<Hooks.Hooks>
  readonly logLevel: LogLevel
  readonly otlpEndpoint: Option.Option<string>
}

/** Where everything is kept. */
export type Database =
  | { readonly _tag: "Sqlite"; readonly file: string }
  | {
      readonly _tag: "Postgres"
      readonly url: Redacted.Redacted<string>
      readonly schema: string
      readonly connections: number
      /** The server itself, where the address leads to a pooler of transactions. */
      readonly direct: Option.Option<Redacted.Redacted<string>>
    }

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

/** Reads all settings, or names the first that cannot be read. */
export const read = (environment: Environment): Read<Settings> =>
  SecretFiles.reading(SecretFiles.secrets, settings)(environment)

const settings = (environment: Environment): Read<Settings> =>
  Result.gen(function* () {
    const address = yield* reached(environment)
    const baseUrl = gatewaysBaseUrl(address)
    const gateways = {
      sip: yield* trunks(environment),
      smpp: yield* optional(environment, "SMPP_URL", carriers),
      smsHttp: yield* SmsSettings.smsHttp(environment, baseUrl),
      chatgw: yield* ChatSettings.chatgw(environment, baseUrl),
      bizchat: yield* ChatSettings.bizchat(environment)
    }
    const isLive = Object.values<Option.Option<unknown>>(gateways).some(Option.isSome)
    return {
      ...address,
      operations: yield* operations(environment),
      maxConnections: yield* one(environment, "MAX_CONNECTIONS", "10000", whole(1, 1_000_000)),
      drainSeconds: yield* one(environment, "DRAIN_SECONDS", "0", whole(0, 3_600)),
      docs: yield* one(environment, "DOCS", "yes", yesOrNo),
      demo: yield* one(environment, "DEMO", isLive ? "no" : "yes", yesOrNo),
      trustTraceparent: yield* one(environment, "TRUST_TRACEPARENT", "no", yesOrNo),
      database: yield* databaseOf(environment),
      secret: yield* Secret.read(environment),
      trustedProxies: yield* one(environment, "TRUSTED_PROXIES", "", networks),
      prices: yield* prices(environment),
      guards: yield* guards(environment),
      webhookAllowPrivate: yield* webhookAllowPrivate(environment),
      ...gateways,
      hooks: yield* Hooks.read(environment),
      logLevel: yield* one(environment, "LOG_LEVEL", "info", logLevel),
      otlpEndpoint: yield* optional(environment, "OTEL_EXPORTER_OTLP_ENDPOINT", webAddress)
    }
  })

/** Where the server listens, and how it is reached. */
type Reached = Pick<Settings, "host" | "port" | "basePath" | "publicUrl">

const reached = (environment: Environment): Read<Reached> =>
  Result.gen(function* () {
    return {
      host: yield* one(environment, "HOST", "127.0.0.1", text),
      port: yield* one(environment, "PORT", "8080", portNumber),
      basePath: yield* one(environment, "BASE_PATH", "/v1", path),
      publicUrl: yield* optional(environment, "PUBLIC_URL", webAddress)
    }
  })

const gatewaysBaseUrl = (address: Reached): string => baseUrlOf(address, `http://${address.host}:${address.port}`)

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

/** The table of prices, which may be read again later. */
export const prices = (environment: Environment): Read<Option.Option<PriceTable.PriceTable>> =>
  optional(environment, "PRICES", priceTable)

/** The rules of guards, which may be read again later. */
export const guards = (environment: Environment): Read<Option.Option<Rules.Rules>> =>
  optional(environment, "GUARDS", guardRules)

/** The provider of SMS, whose secrets may be read again later. */
export const smsHttp = SecretFiles.reading(SmsSettings.names, (environment) =>
  Result.flatMap(reached(environment), (address) => SmsSettings.smsHttp(environment, gatewaysBaseUrl(address)))
)

/** The chat gateway, whose token may be read again later. */
export const chatgw = SecretFiles.reading(["CHATGW_TOKEN"], (environment) =>
  Result.flatMap(reached(environment), (address) => ChatSettings.chatgw(environment, gatewaysBaseUrl(address)))
)

/** The business chat, whose secrets may be read again later. */
export const bizchat = SecretFiles.reading(ChatSettings.bizchatSecrets, ChatSettings.bizchat)

/** The hooks of identity servers, whose secrets may be read again later. */
export const hooks = SecretFiles.reading(Hooks.secrets, Hooks.read)

/** Where everything is kept. No other setting is read. */
export const database = (environment: Environment): Read<Database> =>
  SecretFiles.reading(["DATABASE_URL", "DATABASE_DIRECT_URL"], databaseOf)(environment)

/** The settings that the operator's command reads. */
export type OfCommand = Pick<Settings, "database" | "secret" | "webhookAllowPrivate">

export const ofCommand = SecretFiles.reading(
  ["DATABASE_URL", "DATABASE_DIRECT_URL", "VERIFY_SECRET"],
  (environment): Read<OfCommand> =>
    Result.gen(function* () {
      return {
        database: yield* databaseOf(environment),
        secret: yield* Secret.read(environment),
        webhookAllowPrivate: yield* webhookAllowPrivate(environment)
      }
    })
)

const databaseOf = (environment: Environment): Read<Database> =>
  Result.gen(function* () {
    const address = yield* one(environment, "DATABASE_URL", "sqlite:watchword.db", databaseAddress)
    if (address._tag === "Sqlite") return address
    return {
      ...address,
      schema: yield* one(environment, "DATABASE_SCHEMA", "watchword", text),
      connections: yield* one(environment, "DATABASE_CONNECTIONS", "10", whole(2, 9_999)),
      direct: yield* optional(environment, "DATABASE_DIRECT_URL", postgresUrl)
    }
  })

/** The operators' own address; none unless its port is set. */
const operations = (environment: Environment): Read<Option.Option<Address>> =>
  Result.gen(function* () {
    const host = yield* optional(environment, "OPERATIONS_HOST", text)
    const port = yield* optional(environment, "OPERATIONS_PORT", portNumber)
    if (Option.isSome(host) && Option.isNone(port)) {
      return yield* Result.fail(fault("OPERATIONS_PORT", "must be set, because OPERATIONS_HOST is"))
    }
    return Option.map(port, (port) => ({ host: Option.getOrElse(host, () => "127.0.0.1"), port }))
  })

const webhookAllowPrivate = (environment: Environment): Read<boolean> =>
  one(environment, "WEBHOOK_ALLOW_PRIVATE", "false", trueOrFalse)

const whole =
  (from: number, to: number): Parse<number> =>
  (value) =>
    /^[0-9]{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to
      ? Result.succeed(Number(value))
      : Result.fail(`must be a number from ${from} to ${to}`)

const portNumber = whole(0, 65_535)

const trueOrFalse: Parse<boolean> = (value) =>
  value === "true" || value === "false" ? Result.succeed(value === "true") : Result.fail("must be true or false")

const path: Parse<string> = (value) => {
  const trimmed = value.replace(/\/+$/, "")
  return trimmed === "" || /^(?:\/[A-Za-z0-9._~-]+)+$/.test(trimmed)
    ? Result.succeed(trimmed)
    : Result.fail("must be a path such as /v1")
}

const databaseAddress: Parse<
  | Extract<Database, { readonly _tag: "Sqlite" }>
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted<string> }
> = (value) => {
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1]
  if (file !== undefined) return Result.map(inFolder(file), () => ({ _tag: "Sqlite", file }) as const)
  return Result.match(postgresUrl(value), {
    onSuccess: (url) => Result.succeed({ _tag: "Postgres", url } as const),
    onFailure: () =>
      Result.fail("must be sqlite: and a file name, such as sqlite:watchword.db, or a postgres:// address")
  })
}

/** A database that is there, or may be made: SQLite's own words name neither the folder nor what is wrong with it. */
const inFolder: Parse<void> = (file) => {
  if (file === ":memory:" || existsSync(file)) return Result.succeed(undefined)
  const folder = dirname(file)
  if (!existsSync(folder)) return Result.fail(`names a file in the folder ${folder}, which does not exist`)
  return mayWrite(folder)
    ? Result.succeed(undefined)
    : Result.fail(`names a file in the folder ${folder}, in which this user may not write`)
}

const mayWrite = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const postgresUrl: Parse<Redacted.Redacted<string>> = (value) =>
  /^postgres(?:ql)?:\/\//.test(value)
    ? Result.succeed(Redacted.make(value))
    : Result.fail("must be a postgres:// address")

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

const carriers: Parse<Smpp.Options> = (value) => Result.mapError(Smpp.fromUrls(value), unusable)

const unusable = ({ message }: { readonly message: string }): string => `cannot be used: ${message.replace(/\.$/, "")}`

/** The trunks, and the address that calls leave by. */
const trunks = (environment: Environment): Read<Option.Option<Sip.Options>> =>
  Result.gen(function* () {
    const options = yield* optional(environment, "SIP_URL", trunkUrls)
    const listen = yield* one(environment, "SIP_LISTEN", "127.0.0.1:0", listenAddress)
    return Option.map(options, (each) => ({ ...each, listen }))
  })

const trunkUrls: Parse<Sip.Options> = (value) => Result.mapError(Sip.fromUrls(value), unusable)

const listenAddress: Parse<Sip.Address> = (value) => Result.mapError(Sip.listenAt(value), unusable)

const priceTable: Parse<PriceTable.PriceTable> = (file) =>
  Result.flatMap(jsonFile(file), (json) =>
    Result.mapError(
      PriceTable.parse(json),
      ({ path, message }) => `names a file in which ${path || "the table"} ${message}`
    )
  )

const guardRules: Parse<Rules.Rules> = (file) =>
  file === "none"
    ? Result.succeed(DefaultRules.none)
    : Result.flatMap(jsonFile(file), (json) =>
        Result.mapError(Effect.runSync(Effect.result(Rules.parse(json))), ({ issues = [], message }) => {
          const [issue] = issues
          return issue === undefined ? message : `names a file in which ${issue.path || "the value"} ${issue.message}`
        })
      )

const isLogLevel = (text: string): text is keyof typeof logLevels => Object.hasOwn(logLevels, text)

const logLevel: Parse<LogLevel> = (value) => {
  const level = value.toLowerCase()
  return isLogLevel(level)
    ? Result.succeed(logLevels[level])
    : Result.fail(`must be one of ${Object.keys(logLevels).join(", ")}`)
}
