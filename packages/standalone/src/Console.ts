/**
 * The operators' API and the console, for operators with a token from `watchword operator grant`.
 */
import { consolePage } from "@watchword/console"
import type { HandlePromise } from "@watchword/server/Host"
import { keepConsoleAddress } from "@watchword/operator/Installation"
import { Settings as StoreSettings, make as makeSettings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type Watchword, watchwordConsole } from "watchword"
import { Hosts } from "@watchword/node"
import { shownIn } from "./settings/All.ts"
import { urlOf } from "./settings/ServerSettings.ts"
import type { Settings } from "./settings/Settings.ts"

const OURS = /^\/(?:console(?:[/?]|$)|operator\/v1\/)/

/**
 * The operations of a service, with the API where it is served. On a port of their own, they are only for the
 * operators' hosts; on the customers' port, the API is.
 */
export const beside = (settings: Settings, service: Watchword): HandlePromise => {
  const { console, operations, publicUrl } = settings
  if (Option.isSome(operations)) return onlySafe(all(settings, service), console.hosts)
  const open = all(settings, service)
  const hosts = [...console.hosts, ...Option.toArray(publicUrl).map((url) => new URL(url).hostname)]
  const guarded = onlySafe(open, hosts)
  return (request) => (OURS.test(request.path) ? guarded(request) : open(request))
}

/** A store that has the address of this server's console, for `console open` in a shell without its settings. */
export const remembered = <E, R>({ console, host, operations, port }: Settings, store: Layer.Layer<Store, E, R>) => {
  const address = Option.getOrElse(operations, () => ({ host, port }))
  if (!console.isServed || address.port === 0) return store
  const kept = Effect.gen(function* () {
    yield* Effect.provideService(keepConsoleAddress(`${urlOf(address)}/console/`), StoreSettings, yield* makeSettings)
    return yield* Store
  })
  return Layer.effect(Store, kept).pipe(Layer.provide(store))
}

const onlySafe = (handle: HandlePromise, names: ReadonlyArray<string>): HandlePromise =>
  Hosts.only(
    handle,
    (host) => Hosts.isSafe(host, names),
    "This port does not accept the host: name it in CONSOLE_HOSTS."
  )

const all = ({ console, trustedProxies }: Settings, service: Watchword): HandlePromise => {
  const { operations } = service
  if (!console.isServed) return operations
  const tokens = { trustedProxies, proxy: Option.getOrNull(console.proxy) }
  const operators = watchwordConsole(service, { tokens, page: consolePage, settings: shownIn(process.env) }).handle
  return (request) => (OURS.test(request.path) ? operators(request) : operations(request))
}
