/**
 * Several carriers by name behind the port of SMS gateways, and routes that choose among them.
 *
 * A carrier is a gateway: over SMPP, of a provider over HTTP, or one of your own. With only carriers over HTTP it also
 * runs in Workers.
 */
import type { Gateway } from "@watchword/send/gateway"
import {
  CARRIER_NAME_MUST,
  type CostsInEuros,
  type RouteInput,
  type RoutesError,
  fault,
  isCarrierName,
  parseCosts,
  parseRoutes,
  routesInOrder
} from "@watchword/send/routes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { type Opening, type Setup, make } from "./internal/carriers/Composition.ts"
import { SmsGateway } from "./SmsGateway.ts"

export { RoutesError } from "@watchword/send/routes"
export { type Composition, type Opening, type Setup, make } from "./internal/carriers/Composition.ts"

/** A carrier with its price for a part of a text. */
export interface Carrier<out E> {
  readonly gateway: Gateway<SmsGateway, E>
  /** EUR for a part, by the first digits of a number; `*` for all other numbers. */
  readonly cost?: CostsInEuros
}

/** A route; see [routes](https://github.com/watchword/watchword/blob/main/docs/routes.md). */
export type Route = Omit<RouteInput, "channel">

export interface CarriersOptions {
  /** Without routes all carriers take all messages, the first that can. */
  readonly routes?: ReadonlyArray<Route>
}

/**
 * A gateway that is composed of carriers by name.
 *
 * @example
 * ```ts
 * import { carriers } from "@watchword/sms/carriers"
 * import { twilio } from "@watchword/sms/http"
 * import { smpp } from "@watchword/sms/smpp"
 *
 * const sms = carriers(
 *   {
 *     acme: { gateway: smpp({ url: "smpp://id:secret@smsc.example:2775" }), cost: { "49": 0.061, "*": 0.07 } },
 *     tw: twilio({ accountSid: "AC0123456789abcdef0123456789abcdef", authToken: "a secret of Twilio's console" })
 *   },
 *   { routes: [{ to: "49", via: ["acme", "tw"] }, { to: "*", via: ["tw"] }] }
 * )
 * ```
 */
export const carriers = <const Errors extends Readonly<Record<string, unknown>>>(
  byName: { readonly [Name in keyof Errors]: Carrier<Errors[Name]> | Gateway<SmsGateway, Errors[Name]> },
  options: CarriersOptions = {}
): Gateway<SmsGateway, Errors[keyof Errors] | RoutesError> =>
  Layer.effect(
    SmsGateway,
    Effect.flatMap(Effect.fromResult(setupOf<Errors[keyof Errors]>(byName, options)), (setup) =>
      Effect.map(make(setup), ({ service }) => service)
    )
  )

const setupOf = <E>(
  byName: Readonly<Record<string, Carrier<E> | Gateway<SmsGateway, E>>>,
  { routes }: CarriersOptions
): Result.Result<Setup<E>, RoutesError> =>
  Result.gen(function* () {
    const names = Object.keys(byName)
    const opening = new Map<string, Opening<E>>()
    for (const [name, carrier] of Object.entries(byName)) {
      if (!isCarrierName(name)) return yield* fault(`carriers.${name}`, CARRIER_NAME_MUST)
      const { cost, gateway }: Carrier<E> = "gateway" in carrier ? carrier : { gateway: carrier }
      const costs = cost === undefined ? null : yield* parseCosts(cost, `carriers.${name}.cost`)
      opening.set(name, { gateway, costs, connection: name })
    }
    if (routes === undefined) return { carriers: opening, routes: routesInOrder(names) }
    const tables = yield* parseRoutes(routes, new Map(names.map((name) => [name, "sms"])), "sms")
    return { carriers: opening, routes: tables.get("sms") ?? routesInOrder([]) }
  })

/** Interprets a carrier over SMPP for rehearsals, without Node. */
export { reader as smppReader } from "./internal/smpp/rehearsal/Dialect.ts"
