/**
 * The standalone server: the whole service on one machine.
 */
import { setTimeout as delay } from "node:timers/promises"
import { SipOptionsError } from "@watchword/call/options"
import { isNone } from "@watchword/guards/Rules"
import { RoutesError } from "@watchword/send/routes"
import * as Docs from "@watchword/server/Docs"
import { BelowCost } from "@watchword/operator/Installation"
import { FrontPage } from "@watchword/server/http"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Options, type Watchword, createWatchword } from "watchword"
import { telegramLogin } from "watchword/telegramLogin"
import { introduce } from "./demo.ts"
import { alarmsOf } from "./Alarming.ts"
import * as Carriers from "./Carriers.ts"
import * as Console from "./Console.ts"
import * as Gateways from "./Gateways.ts"
import * as Doors from "@watchword/dev/Doors"
import * as Handset from "@watchword/dev/Handset"
import * as Hooks from "./Hooks.ts"
import { type Listening, listen } from "./Listening.ts"
import { live } from "./Live.ts"
import * as Losses from "./Losses.ts"
import * as CarrierSettings from "./settings/CarrierSettings.ts"
import { slips } from "./settings/Names.ts"
import { observability } from "./Observability.ts"
import * as Program from "./Program.ts"
import * as Reloading from "./settings/Reloading.ts"
import * as Secret from "./Secret.ts"
import { baseUrlOf, gatewaysBaseUrl, isWildcard, originOf, urlOf } from "./settings/ServerSettings.ts"
import * as Settings from "./settings/Settings.ts"
import * as SmsSettings from "./settings/SmsSettings.ts"
import { onStopSignal } from "@watchword/node"
import * as Storage from "./Storage.ts"
import { warnings } from "./Warnings.ts"
import { onBroken, watchConnections } from "./Watching.ts"

const main = async (): Promise<void> => {
  const settings = Result.getOrThrow(Settings.read(process.env))
  const observed = ManagedRuntime.make(observability(settings))
  const log: Reloading.Log = {
    info: (message) => void observed.runFork(Effect.logInfo(message)),
    warn: (message) => void observed.runFork(Effect.logWarning(message)),
    error: (message) => void observed.runFork(Effect.logError(message))
  }
  const carriers = Option.isSome(settings.carriers) ? await Carriers.open(settings.carriers.value) : null
  const reloading = Reloading.make(process.env, settings, (next) =>
    observed.runPromise(
      Effect.result(Effect.mapError(carriers?.replace(next) ?? Effect.void, CarrierSettings.unusable(next)))
    )
  )
  // Without PUBLIC_URL the address is known once the port is.
  let reachedAt = Option.isSome(settings.publicUrl) ? gatewaysBaseUrl(settings) : undefined
  const login = telegramLogin(Option.getOrNull(settings.telegramLogin), { publicUrl: () => reachedAt })
  const service = await open(settings, reloading, carriers, login, Layer.succeedContext(await observed.context()))
  for (const warning of [...slips(process.env), ...warnings(settings)]) log.warn(warning)
  await Hooks.checkAccount(settings.hooks, service, log)
  const { handle, renew } = Hooks.beside(settings.hooks, {
    service,
    logger: log,
    trustedProxies: settings.trustedProxies
  })
  Reloading.onHangUp(() => {
    void reloading.reload(log).then(renew, (error: unknown) => log.error(`SIGHUP: ${String(error)}`))
  })
  const operations = Console.beside(settings, service)
  const doors = await Doors.open(service, settings.doors, mountingOf(settings))
  const listening = await listen(settings, { handle, operations }, doors).catch(async (error: unknown) => {
    await service.dispose()
    throw error
  })
  reachedAt ??= baseUrlOf(settings, urlOf(listening.customers))
  watchConnections(listening.customers.server, settings.maxConnections, log.warn)

  const stop = async (code: number, drainSeconds: number): Promise<void> => {
    service.drain()
    await delay(drainSeconds * 1_000)
    await close(service, listening)
    await observed.dispose()
    process.exit(code)
  }
  onStopSignal(() => void stop(0, settings.drainSeconds).catch(failed))
  onBroken(service, () => {
    console.error("The process ends, because its database takes no more writes before it is opened anew.")
    stop(1, 0).catch(failed)
  })

  const baseUrl = `${urlOf(listening.customers)}${settings.basePath}`
  if (settings.demo) await introduce(service, baseUrl, Secret.of(settings).length > 0)
  console.log(live(settings, await ownRules(service)))
  if (listening.operators !== null) console.log(`Health and metrics are at ${urlOf(listening.operators)}`)
  if (settings.console.isServed) {
    console.log(`The console is at ${urlOf(listening.operators ?? listening.customers)}/console/`)
  }
  for (const path of Doors.pathsOf(settings.doors)) console.log(`A door is at ${urlOf(listening.customers)}${path}`)
  console.log(`Watchword serves ${baseUrl}${isWildcard(settings.host) ? " on all addresses of this machine" : ""}`)
}

const ownRules = async ({ operator }: Watchword) => {
  const { guards } = await operator.guard.list()
  const ruled = guards.flatMap(({ account_id: account, action }) =>
    account === null || action === null ? [] : account
  )
  const shown = await Promise.all(ruled.map((account) => operator.guard.show({ account_id: account })))
  const own = shown.flatMap(({ rules }) => rules ?? [])
  return { own: own.length, none: own.filter((rules) => isNone(rules)).length }
}

const open = async (...given: Parameters<typeof optionsOf>): Promise<Watchword> => {
  try {
    return await createWatchword(await optionsOf(...given))
  } catch (cause) {
    const [{ carriers, smsHttp }] = given
    if (cause instanceof RoutesError && Option.isSome(carriers)) {
      throw new Error(CarrierSettings.unusable(carriers.value)(cause).message, { cause })
    }
    if (cause instanceof StoreError) throw new Error(`DATABASE_URL cannot be used: ${cause.message}`, { cause })
    const sentence = SmsSettings.sentenceOf(smsHttp, cause)
    if (sentence !== null) throw new Error(sentence, { cause })
    if (cause instanceof SipOptionsError) throw new Error(`SIP_LISTEN: ${cause.message}`, { cause })
    throw cause
  }
}

const optionsOf = async (
  settings: Settings.Settings,
  { guards }: Reloading.Reloading,
  carriers: Carriers.Running | null,
  login: Options["telegramLogin"],
  observed: Layer.Layer<never>
): Promise<Options> => ({
  store: Console.remembered(settings, Storage.layer(settings.database)),
  ...(await Gateways.load(settings, carriers?.gateways ?? {})),
  ...(Option.isSome(settings.prices) ? { prices: settings.prices.value } : {}),
  ...(Option.isSome(guards) ? { guards: guards.value } : {}),
  ...(Option.isSome(settings.beforeSend) ? { beforeSend: settings.beforeSend.value } : {}),
  ...alarmsOf(settings.alarms),
  ...(login === undefined ? {} : { telegramLogin: login }),
  secret: Secret.of(settings),
  webhooks: { allowPrivate: settings.webhookAllowPrivate },
  trustedProxies: settings.trustedProxies,
  trustTraceparent: settings.trustTraceparent,
  ...(settings.docs ? { pages: pagesOf(settings) } : {}),
  observability: Layer.mergeAll(observed, Program.layer(settings.database), belowCost(settings))
})

const belowCost = (settings: Settings.Settings): Layer.Layer<never> =>
  Layer.succeed(BelowCost, Effect.sync(Losses.remembered(settings)))

const mountingOf = (settings: Settings.Settings): Doors.Mounting => ({
  origin: originOf(settings),
  call: Option.getOrNull(settings.doorCalls)
})

/** The handset is not on the operators' port: it asks the interface, which is on the customers'. */
const pagesOf = (settings: Settings.Settings) => {
  const docs = Docs.layer({ baseUrl: baseUrlOf(settings, "") || "/" })
  const hasHandset = Option.isNone(settings.operations)
  const front = FrontPage.layer("One-time passcodes to a phone, by SMS, calls and chats.", [
    { name: "Reference", path: "/docs", says: "Each request with its fields and samples.", isPage: true },
    { name: "OpenAPI", path: "/openapi.json", says: "The same for programs.", isPage: true },
    ...(hasHandset
      ? [{ name: "Handset", path: "/handset/", says: "The phones of the sandbox, with a sandbox key.", isPage: true }]
      : []),
    ...(settings.console.isServed
      ? [{ name: "Console", path: "/console/", says: "What operators look up and change.", isPage: true }]
      : []),
    { name: "Health", path: "/readyz", says: "Whether the server can work, and its connections.", isPage: true },
    ...(hasHandset
      ? [{ name: "Interface", path: settings.basePath || "/", says: "Where requests go, with a key.", isPage: false }]
      : [])
  ])
  return hasHandset ? Layer.mergeAll(docs, front, Handset.layer(settings.basePath)) : Layer.merge(docs, front)
}

/** Finishes requests in flight. The operators' port is the last to close: it says until then that the server drains. */
const close = async (service: Watchword, { customers, operators }: Listening): Promise<void> => {
  await customers.close()
  await service.dispose()
  await operators?.close()
}

const failed = (error: unknown): void => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

main().catch(failed)
