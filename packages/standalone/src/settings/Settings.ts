/**
 * The settings of the standalone server, read from the environment.
 */
import type * as WhatsApp from "@watchword/bizchat/whatsapp"
import type * as Sip from "@watchword/call/options"
import type * as Telegram from "@watchword/chatgw/telegram"
import type { AppOptions } from "@watchword/chatgw/telegramLogin"
import type { DoorName } from "@watchword/dev/Doors"
import type * as Rules from "@watchword/guards/Rules"
import type * as PriceTable from "@watchword/ledger/PriceTable"
import type * as Smpp from "@watchword/sms/options"
import type { LogLevel } from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { all } from "./All.ts"
import { type Alarms, readAlarms } from "./AlarmSettings.ts"
import * as CallSettings from "./CallSettings.ts"
import * as CarrierSettings from "./CarrierSettings.ts"
import * as ChatgwSettings from "./ChatgwSettings.ts"
import * as DatabaseSettings from "./DatabaseSettings.ts"
import * as HookSettings from "./HookSettings.ts"
import type { Environment, Read } from "./Reading.ts"
import { type BeforeSend, readBeforeSend, rules } from "./RuleSettings.ts"
import * as SecretFiles from "./SecretFiles.ts"
import {
  type Address,
  type ConsoleSettings,
  type Reached,
  gatewaysBaseUrl,
  operations,
  reached,
  readConsole,
  server
} from "./ServerSettings.ts"
import { read as readOne, readOptional, trimmed } from "./Setting.ts"
import type { SmsHttp } from "./providers/Provider.ts"
import * as SmsSettings from "./SmsSettings.ts"
import { readTelegramLogin } from "./TelegramLoginSettings.ts"

export interface Settings extends Reached {
  /** Where health, metrics and pages are, when they are not on the customers' port. */
  readonly operations: Option.Option<Address>
  readonly console: ConsoleSettings
  readonly maxConnections: number
  /** How long `/readyz` says 503 before the server closes its ports. */
  readonly drainSeconds: number
  /** Whether there are `/docs`, `/openapi.json` and `/handset`. */
  readonly docs: boolean
  /** Whether the start makes a demo account in an empty database: unless set, where no gateway is. */
  readonly demo: boolean
  /** Whether requests continue the traces that their headers name. */
  readonly trustTraceparent: boolean
  readonly database: DatabaseSettings.Database
  /** The secrets of the installation, where they are set. */
  readonly secret: Option.Option<DatabaseSettings.Secrets>
  /** The doors for apps that speak another interface. */
  readonly doors: ReadonlyArray<DoorName>
  readonly doorCalls: Option.Option<"flash">
  readonly trustedProxies: ReadonlyArray<string>
  readonly prices: Option.Option<PriceTable.PriceTable>
  /** The guard rules of accounts without their own; the default ones unless set. */
  readonly guards: Option.Option<Rules.Rules>
  /** Whether webhooks may go to private, loopback and link-local addresses. */
  readonly webhookAllowPrivate: boolean
  /** The check before a send. */
  readonly beforeSend: Option.Option<BeforeSend>
  /** Where problems are sent. */
  readonly alarms: Option.Option<Alarms>
  /** Carriers by name, instead of `smpp` and `smsHttp`. */
  readonly carriers: Option.Option<CarrierSettings.Carriers>
  readonly sip: Option.Option<Sip.Options>
  readonly smpp: Option.Option<Smpp.Options>
  readonly smsHttp: Option.Option<SmsHttp>
  readonly chatgw: Option.Option<Telegram.Options>
  readonly bizchat: Option.Option<WhatsApp.Options>
  readonly telegramLogin: Option.Option<AppOptions>
  /** The hooks of identity servers. */
  readonly hooks: Option.Option<HookSettings.Hooks>
  /** The secrets whose values had blanks or line ends around them. */
  readonly trimmed: ReadonlyArray<string>
  readonly logLevel: LogLevel
  readonly otlpEndpoint: Option.Option<string>
}

/** Reads all settings, or names the first that cannot be read. */
export const read = SecretFiles.reading(all, (environment): Read<Settings> =>
  Result.gen(function* () {
    const address = yield* reached(environment)
    const baseUrl = gatewaysBaseUrl(address)
    const gateways = {
      carriers: yield* CarrierSettings.readCarriers(environment, baseUrl),
      sip: yield* CallSettings.readTrunks(environment),
      smpp: yield* readOptional(environment, SmsSettings.sms.carriers),
      smsHttp: yield* SmsSettings.readSmsHttp(environment, baseUrl),
      chatgw: yield* ChatgwSettings.readChatgw(environment, baseUrl),
      bizchat: yield* ChatgwSettings.readBizchat(environment),
      telegramLogin: yield* readTelegramLogin(environment, baseUrl)
    }
    const isLive = Object.values<Option.Option<unknown>>(gateways).some(Option.isSome)
    return {
      ...address,
      operations: yield* operations(environment),
      console: yield* readConsole(environment),
      maxConnections: yield* readOne(environment, server.maxConnections),
      drainSeconds: yield* readOne(environment, server.drainSeconds),
      docs: yield* readOne(environment, server.docs),
      demo: Option.getOrElse(yield* readOptional(environment, server.demo), () => !isLive),
      trustTraceparent: yield* readOne(environment, server.trustTraceparent),
      database: yield* DatabaseSettings.readDatabase(environment),
      secret: yield* readOptional(environment, DatabaseSettings.database.secret),
      doors: yield* readOne(environment, server.doors),
      doorCalls: yield* readOptional(environment, server.doorCalls),
      trustedProxies: yield* readOne(environment, server.trustedProxies),
      prices: yield* readOptional(environment, rules.prices),
      guards: yield* readOptional(environment, rules.guards),
      webhookAllowPrivate: yield* readOne(environment, rules.webhookAllowPrivate),
      beforeSend: yield* readBeforeSend(environment),
      alarms: yield* readAlarms(environment),
      ...gateways,
      hooks: yield* HookSettings.readHooks(environment),
      trimmed: trimmed(environment, all),
      logLevel: yield* readOne(environment, server.logLevel),
      otlpEndpoint: yield* readOptional(environment, server.otlpEndpoint)
    }
  })
)

const { address, direct } = DatabaseSettings.database

/** Where everything is kept. No other setting is read. */
export const database = SecretFiles.reading([address, direct], DatabaseSettings.readDatabase)

/** The settings that the operator's command reads. */
export type OfCommand = Pick<Settings, "database" | "secret" | "webhookAllowPrivate">

export const ofCommand = SecretFiles.reading(Object.values(DatabaseSettings.database), (environment): Read<OfCommand> =>
  Result.gen(function* () {
    return {
      database: yield* DatabaseSettings.readDatabase(environment),
      secret: yield* readOptional(environment, DatabaseSettings.database.secret),
      webhookAllowPrivate: yield* readOne(environment, rules.webhookAllowPrivate)
    }
  })
)

/** The carriers of texts and calls. No other setting is read. */
export const gateways = SecretFiles.reading(
  [CarrierSettings.carriers.file, ...Object.values(CallSettings.call), ...SmsSettings.settings],
  (environment) =>
    Result.gen(function* () {
      const baseUrl = gatewaysBaseUrl(yield* reached(environment))
      return {
        carriers: yield* CarrierSettings.readCarriers(environment, baseUrl),
        sip: yield* CallSettings.readTrunks(environment),
        smpp: yield* readOptional(environment, SmsSettings.sms.carriers),
        smsHttp: yield* SmsSettings.readSmsHttp(environment, baseUrl)
      }
    })
)

/** The parts that are read again without a restart. */
export const parts = {
  prices: (environment: Environment) => readOptional(environment, rules.prices),
  guards: (environment: Environment) => readOptional(environment, rules.guards),
  carriers: (environment: Environment) =>
    Result.flatMap(reached(environment), (address) =>
      CarrierSettings.readCarriers(environment, gatewaysBaseUrl(address))
    ),
  smsHttp: SecretFiles.reading(SmsSettings.settings, (environment) =>
    Result.flatMap(reached(environment), (address) => SmsSettings.readSmsHttp(environment, gatewaysBaseUrl(address)))
  ),
  chatgw: SecretFiles.reading(Object.values(ChatgwSettings.chatgw), (environment) =>
    Result.flatMap(reached(environment), (address) => ChatgwSettings.readChatgw(environment, gatewaysBaseUrl(address)))
  ),
  bizchat: SecretFiles.reading(Object.values(ChatgwSettings.bizchat), ChatgwSettings.readBizchat),
  hooks: SecretFiles.reading(Object.values(HookSettings.hooks), HookSettings.readHooks)
}
