/**
 * The carriers of the setting CARRIERS, which a reload replaces while they run.
 */
import type { CallGateway } from "@watchword/call/CallGateway"
import { type Opening, RoutesError, type Setup, routesInOrder } from "@watchword/send/routes"
import type { SmsGateway } from "@watchword/sms/SmsGateway"
import type { SmsHttpOptionsError } from "@watchword/sms/http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Options } from "watchword"
import type { CallCarrier, Carrier, TextCarrier } from "./settings/CarrierEntry.ts"
import type { Carriers } from "./settings/CarrierSettings.ts"

export interface Running {
  /** The gateways of channels that have carriers. */
  readonly gateways: Pick<Options, "sms" | "call">
  /**
   * Puts other carriers, costs and routes into force. Fails where a connection cannot be opened, and changes nothing
   * then.
   */
  readonly replace: (carriers: Carriers) => Effect.Effect<void, RoutesError>
}

/** A channel's carriers once its layer is built. */
interface Fleet<out Id> {
  readonly replace: (setup: Setup<Id, RoutesError>) => Effect.Effect<void, RoutesError>
}

/** Carriers that connect once their layers are built. */
export const open = async (first: Carriers): Promise<Running> => {
  let inForce = first
  const texts = await openTexts(first)
  const calls = await openCalls(first)

  /** Calls come last: where they fail, texts are put back. */
  const replace = Effect.fnUntraced(function* (next: Carriers) {
    for (const channel of ["sms", "call"] as const) {
      if (hasAny(next, channel) && !hasAny(first, channel)) return yield* beginning(channel)
    }
    const setups = { sms: yield* textsOf(next), call: yield* callsOf(next) }
    yield* texts.replace(setups.sms)
    const replaced = yield* Effect.result(calls.replace(setups.call))
    if (Result.isSuccess(replaced)) {
      inForce = next
      return
    }
    yield* texts.replace(yield* textsOf(inForce))
    return yield* replaced.failure
  })

  return {
    gateways: {
      ...(hasAny(first, "sms") ? { sms: texts.layer } : {}),
      ...(hasAny(first, "call") ? { call: calls.layer } : {})
    },
    replace
  }
}

const hasAny = ({ carriers }: Carriers, channel: Carrier["channel"]): boolean =>
  carriers.some((each) => each.channel === channel)

const beginning = (channel: string): RoutesError =>
  new RoutesError({
    path: "carriers",
    fix: `have a carrier of ${channel}, but there was no such carrier when the server started: restart it`
  })

const openTexts = async (first: Carriers) => {
  const { make } = await import("@watchword/sms/carriers")
  const { SmsGateway } = await import("@watchword/sms/SmsGateway")
  const running = new Late<SmsGateway>()
  const started = Effect.flatMap(textsOf(first), (setup) => make(setup, true))
  return { layer: Layer.effect(SmsGateway, running.of(started)), replace: running.replace }
}

const openCalls = async (first: Carriers) => {
  const { make } = await import("@watchword/call/carriers")
  const { CallGateway } = await import("@watchword/call/CallGateway")
  const running = new Late<CallGateway>()
  const started = Effect.flatMap(callsOf(first), (setup) => make(setup))
  return { layer: Layer.effect(CallGateway, running.of(started)), replace: running.replace }
}

/** A fleet that is there once its layer is built; before that, or without it, there is nothing to replace. */
class Late<out Id> {
  #fleet: Fleet<Id> | null = null

  of<S, E, R>(started: Effect.Effect<Fleet<Id> & { readonly service: S }, E, R>): Effect.Effect<S, E, R> {
    return Effect.map(started, (fleet) => {
      this.#fleet = fleet
      return fleet.service
    })
  }

  readonly replace: Fleet<Id>["replace"] = (setup) => Effect.suspend(() => this.#fleet?.replace(setup) ?? Effect.void)
}

export const textsOf = ({ carriers, routes }: Carriers): Effect.Effect<Setup<SmsGateway, RoutesError>> =>
  Effect.promise(async () => ({
    carriers: await opening(
      carriers.flatMap((each) => (each.channel === "sms" ? [each] : [])),
      texting
    ),
    routes: routes.get("sms") ?? routesInOrder([])
  }))

export const callsOf = ({ carriers, routes }: Carriers): Effect.Effect<Setup<CallGateway, RoutesError>> =>
  Effect.promise(async () => ({
    carriers: await opening(
      carriers.flatMap((each) => (each.channel === "call" ? [each] : [])),
      calling
    ),
    routes: routes.get("call") ?? routesInOrder([])
  }))

const opening = async <C extends Carrier, Id>(
  carriers: ReadonlyArray<C>,
  layerOf: (carrier: C) => Promise<Layer.Layer<Id, RoutesError>>
): Promise<ReadonlyMap<string, Opening<Id, RoutesError>>> => {
  const openings = new Map<string, Opening<Id, RoutesError>>()
  for (const carrier of carriers) {
    const { connection, costs, name } = carrier
    openings.set(name, { gateway: await layerOf(carrier), connection, costs })
  }
  return openings
}

/** The gateway of a carrier of texts. */
export const texting = async ({ by, name }: TextCarrier): Promise<Layer.Layer<SmsGateway, RoutesError>> => {
  if (by._tag === "Smpp") return (await import("@watchword/sms/smpp")).layer(by.options)
  const path = `carriers.${name}.sms.${by.http.provider}`
  return Layer.catchTag(await by.http.open(), "SmsHttpOptionsError", (error) =>
    Layer.unwrap(Effect.fail(httpFault(path, error)))
  )
}

/** The gateway of a carrier of calls. */
export const calling = async ({ by, name }: CallCarrier): Promise<Layer.Layer<CallGateway, RoutesError>> =>
  Layer.catchTag((await import("@watchword/call/sip")).layer(by.options), "SipOptionsError", ({ message }) =>
    Layer.unwrap(Effect.fail(new RoutesError({ path: `carriers.${name}.listen`, fix: `cannot be used: ${message}` })))
  )

const httpFault = (path: string, { message, setting }: SmsHttpOptionsError): RoutesError =>
  new RoutesError({ path: `${path}.${setting}`, fix: message.slice(setting.length).trim().replace(/\.$/, "") })
