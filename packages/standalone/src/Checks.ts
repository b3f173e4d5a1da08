/**
 * Finds problems before traffic does: in settings, the database, and carriers. Nothing is written, and no message
 * leaves.
 */
import { existsSync } from "node:fs"
import { ISSUER, type Unknown, discover, overHttp } from "@watchword/chatgw/telegramLogin"
import { GuardAdmin } from "@watchword/guards/operator"
import { Accounts } from "@watchword/ledger/Accounts"
import type { Status } from "@watchword/store/Migrator"
import type { StoreError } from "@watchword/store/StoreError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import { taken } from "./CallsToUs.ts"
import { callsOf, textsOf } from "./Carriers.ts"
import type * as Smpp from "@watchword/sms/options"
import type * as Sip from "@watchword/call/options"
import * as Database from "./Database.ts"
import { rules } from "./Live.ts"
import * as Migrations from "./Migrations.ts"
import type { Carrier } from "./settings/CarrierEntry.ts"
import type { SmsHttp } from "./settings/providers/Provider.ts"
import type * as CarrierSettings from "./settings/CarrierSettings.ts"
import { slips } from "./settings/Names.ts"
import type { Environment } from "./settings/Reading.ts"
import * as Settings from "./settings/Settings.ts"
import * as Storage from "./Storage.ts"
import { Texts } from "@watchword/verify/operator"
import { warnings } from "./Warnings.ts"

export interface Check {
  readonly part: string
  readonly result: "ok" | "warning" | "wrong" | "not asked"
  readonly message: string
}

/** How long a carrier has to take the bind, or to answer OPTIONS, in milliseconds. */
const PATIENCE = 6_000

/**
 * @param carriers whether they are asked: a carrier that allows one bind refuses a second one while a server runs
 */
export const all = Effect.fnUntraced(function* (environment: Environment, carriers: boolean) {
  const read = Settings.read(environment)
  const location = Settings.database(environment)
  const command = Settings.ofCommand(environment)
  const stored = Result.isSuccess(location) ? yield* database(location.success) : null
  return [
    ...settings(environment, read),
    ...(stored === null ? [] : [stored]),
    ...(Result.isSuccess(command) && stored?.result === "ok" ? yield* texts(command.success) : []),
    ...(Result.isSuccess(read) && stored?.result === "ok" ? [yield* guards(read.success)] : []),
    ...(Result.isSuccess(read) ? taken(read.success) : []).map((message): Check => ({
      part: "call",
      result: "ok",
      message
    })),
    ...(Result.isSuccess(read) ? yield* gateways(read.success, carriers) : []),
    ...(Result.isSuccess(read) ? writtenTo(read.success) : []),
    ...(Result.isSuccess(read) ? yield* login(read.success) : [])
  ]
})

const settings = (environment: Environment, read: ReturnType<typeof Settings.read>): ReadonlyArray<Check> => [
  Result.match(read, {
    onSuccess: (): Check => ({ part: "settings", result: "ok", message: "All settings can be read." }),
    onFailure: ({ message }) => ({ part: "settings", result: "wrong", message })
  }),
  ...slips(environment).map((message): Check => ({ part: "settings", result: "wrong", message })),
  ...(Result.isSuccess(read) ? warnings(read.success) : []).map((message): Check => ({
    part: "settings",
    result: "warning",
    message
  }))
]

/** The texts of accounts. */
const texts = Effect.fnUntraced(function* (settings: Settings.OfCommand) {
  const found = yield* Effect.orElseSucceed(Effect.provide(Texts.checks(), Database.of(settings)), () => [])
  return found.map((each): Check => ({ part: "texts", ...each }))
})

const database = (location: Settings.Settings["database"]): Effect.Effect<Check> => {
  const part = "database"
  if (location._tag === "Sqlite" && isMissing(location)) {
    return Effect.succeed({
      part,
      result: "ok",
      message: `There is no ${location.file} yet: the first start creates it.`
    })
  }
  return Effect.zipWith(
    Effect.exit(Storage.migrator(location).status),
    Effect.orElseSucceed(Storage.hosts(location), () => null),
    (exit, hosts): Check => {
      const { message, result } = Exit.match(exit, { onSuccess: migrated, onFailure: unusable })
      return { part, result, message: hosts === null ? message : `${message} Its hosts: ${hosts}` }
    },
    { concurrent: true }
  )
}

const migrated = (status: Status): Omit<Check, "part"> => {
  const message = Migrations.problem(status)
  if (message === null) return { result: "ok", message: "The database answers and has its tables." }
  return status.floor > status.program
    ? { result: "wrong", message }
    : { result: "warning", message: `${message} A start also migrates it; make a backup first.` }
}

const unusable = (cause: Cause.Cause<StoreError>): Omit<Check, "part"> => ({
  result: "wrong",
  message: `DATABASE_URL cannot be used: ${Option.match(Cause.findErrorOption(cause), {
    onSome: ({ message }) => message,
    onNone: () => "reading it failed."
  })}`
})

/** The rules in force. Live sends of accounts without any are under no limit, but for verifications. */
const guards = Effect.fnUntraced(function* (settings: Settings.Settings): Effect.fn.Return<Check> {
  const { bizchat, carriers, chatgw, database, guards, sip, smpp, smsHttp } = settings
  const own = yield* isMissing(database)
    ? Effect.succeed(noAccounts)
    : Effect.orElseSucceed(Effect.scoped(Effect.provide(countRules, Database.of(settings))), () => noAccounts)
  const inForce = `Rules in force: ${rules(settings, own)}.`
  const isLive = [bizchat, carriers, chatgw, sip, smpp, smsHttp].some((setting) => setting._tag === "Some")
  const all = Option.isSome(guards) || (own.accounts > 0 && own.own === own.accounts)
  return isLive && !all
    ? {
        part: "guards",
        result: "warning",
        message: `${inForce} Live sends other than verifications are under no limit: set GUARDS, or rules of each account.`
      }
    : { part: "guards", result: "ok", message: inForce }
})

/** The document in which the provider says where its endpoints are. No user signs in. */
const login = ({ telegramLogin }: Settings.Settings): Effect.Effect<ReadonlyArray<Check>> =>
  Option.match(telegramLogin, {
    onNone: () => Effect.succeed([]),
    onSome: ({ issuer = ISSUER }) =>
      Effect.promise(async (): Promise<ReadonlyArray<Check>> => {
        const found = await discover(issuer, overHttp)
        return typeof found === "string"
          ? [{ part: "login", result: "wrong", message: `Telegram Login: ${issuer} ${undiscovered[found]}.` }]
          : [{ part: "login", result: "ok", message: `Telegram Login: ${issuer} says where users sign in.` }]
      })
  })

const undiscovered: { readonly [U in Unknown]: string } = {
  unreachable: "has not answered with its OpenID configuration",
  other_issuer: "answers with the OpenID configuration of another issuer",
  no_endpoints: "answers with an OpenID configuration that lacks an endpoint"
}

const countRules = Effect.gen(function* () {
  const accounts = yield* Accounts.use(({ list }) => list)
  return yield* GuardAdmin.countRules(accounts.map(({ account }) => account.id))
})

const noAccounts: GuardAdmin.OwnRules = { accounts: 0, own: 0, none: 0 }

const isMissing = (location: Settings.Settings["database"]): boolean =>
  location._tag === "Sqlite" && !existsSync(location.file)

/**
 * SMPP and SIP by a connection of their own. APIs over HTTP have no request that proves a token and is free everywhere.
 */
const gateways = Effect.fnUntraced(function* (settings: Settings.Settings, carriers: boolean) {
  const { bizchat, carriers: named, chatgw, sip, smpp, smsHttp } = settings
  const unasked = (part: string, setting: Option.Option<unknown>, why: string): ReadonlyArray<Check> =>
    Option.isSome(setting) ? [{ part, result: "not asked", message: why }] : []
  const http = "Its API has no request that is known to be free: send a text to a phone of your own."
  const others = [
    ...unasked("sms", smsHttp, http),
    ...Option.match(named, {
      onNone: () => [],
      onSome: ({ carriers }) => carriers.filter(({ by }) => by._tag === "Http")
    }).map(({ name }): Check => ({ part: "sms", result: "not asked", message: `${name}: ${http}` })),
    ...unasked("chatgw", chatgw, http),
    ...unasked("bizchat", bizchat, http)
  ]
  if (!carriers) {
    const why = "--no-carriers is set."
    return [...unasked("sms", smpp, why), ...unasked("sms", named, why), ...unasked("call", sip, why), ...others]
  }
  const { make: bind } = yield* Effect.promise(() => import("@watchword/sms/smpp"))
  const { make: listen } = yield* Effect.promise(() => import("@watchword/call/sip"))
  const [composed, texts, calls] = yield* Effect.all(
    [
      Option.match(named, {
        onNone: () => Effect.succeed([]),
        onSome: ofFile
      }),
      Option.match(smpp, {
        onNone: () => Effect.succeed([]),
        onSome: (options) => asked("sms", "SMPP_URL", bind(options))
      }),
      Option.match(sip, {
        onNone: () => Effect.succeed([]),
        onSome: (options) => asked("call", "SIP_URL", listen({ ...options, listen: anyPort(options) }))
      })
    ],
    { concurrency: "unbounded" }
  )
  return [...composed, ...texts, ...calls, ...others]
})

/** The numbers of ours that users may write to. */
const writtenTo = ({ carriers, smpp, smsHttp }: Settings.Settings): ReadonlyArray<Check> => {
  const ofLinks = ({ links }: Smpp.Options) => links.flatMap(({ receives }) => receives)
  const ofProvider = ({ options }: SmsHttp): ReadonlyArray<string> => options.receives ?? []
  const ofCarrier = ({ by }: Carrier): ReadonlyArray<string> => {
    if (by._tag === "Smpp") return ofLinks(by.options)
    return by._tag === "Http" ? ofProvider(by.http) : []
  }
  const numbers = new Set([
    ...Option.toArray(smpp).flatMap(ofLinks),
    ...Option.toArray(smsHttp).flatMap(ofProvider),
    ...Option.toArray(carriers).flatMap((file) => file.carriers.flatMap(ofCarrier))
  ])
  const message = `Users may verify their numbers by a text to ${[...numbers].join(", ")}, each to one of the user's country.`
  return numbers.size === 0 ? [] : [{ part: "sms", result: "ok", message }]
}

/** The carriers of the file that are asked by connections of their own, of both channels. */
const ofFile = Effect.fnUntraced(function* ({ carriers, ...file }: CarrierSettings.Carriers) {
  const own = { ...file, carriers: carriers.filter(({ by }) => by._tag !== "Http").map(atAnyPort) }
  const { make: bind } = yield* Effect.promise(() => import("@watchword/sms/carriers"))
  const { make: listen } = yield* Effect.promise(() => import("@watchword/call/carriers"))
  const setting = `CARRIERS (${file.file})`
  const [texts, calls] = yield* Effect.all(
    [
      asked(
        "sms",
        setting,
        Effect.flatMap(textsOf(own), (setup) => Effect.map(bind(setup), ({ service }) => service))
      ),
      asked(
        "call",
        setting,
        Effect.flatMap(callsOf(own), (setup) => Effect.map(listen(setup), ({ service }) => service))
      )
    ],
    { concurrency: "unbounded" }
  )
  return [...texts, ...calls]
})

/** The port of a server that runs is taken. */
const atAnyPort = (carrier: Carrier): Carrier =>
  carrier.channel === "sms"
    ? carrier
    : { ...carrier, by: { ...carrier.by, options: { ...carrier.by.options, listen: anyPort(carrier.by.options) } } }

const anyPort = ({ listen }: Pick<Sip.Options, "listen">): Sip.Address => ({
  host: listen?.host ?? "127.0.0.1",
  port: 0
})

interface Connection {
  readonly name: string
  readonly up: boolean
}

interface Connected {
  readonly health: Effect.Effect<ReadonlyArray<Connection>>
}

const asked = <E extends { readonly message: string }>(
  part: string,
  setting: string,
  gateway: Effect.Effect<Connected, E, Scope>
): Effect.Effect<ReadonlyArray<Check>> =>
  Effect.matchEffect(Effect.scoped(Effect.flatMap(gateway, ({ health }) => settled(health))), {
    onFailure: ({ message }) =>
      Effect.succeed<ReadonlyArray<Check>>([{ part, result: "wrong", message: `${setting}: ${message}` }]),
    onSuccess: (connections) => Effect.succeed(connections.map((each) => outcome(part, setting, each)))
  })

/** The health of all connections once they are up, or after some seconds. */
const settled = (health: Connected["health"]): Connected["health"] =>
  Effect.flatMap(
    Effect.timeoutOption(
      Effect.repeat(health, { until: (all) => all.every(({ up }) => up), schedule: Schedule.spaced("100 millis") }),
      PATIENCE
    ),
    () => health
  )

const outcome = (part: string, setting: string, { name, up }: Connection): Check =>
  up
    ? { part, result: "ok", message: `${name} answers.` }
    : {
        part,
        result: "wrong",
        message:
          `${name} does not take us: see the line of the log, and ${setting}; a carrier that allows one bind refuses a ` +
          "second one while the server runs (--no-carriers)."
      }
