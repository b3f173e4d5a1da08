/**
 * The internals of a service, under a symbol: for functions that a program imports where it uses them. As methods of a
 * service they would be in every bundle.
 */
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { HandlePromise } from "@watchword/server/Host"
import type { Services } from "../Services.ts"

/**
 * The key of a service's internals. A copy of a service, an object that inherits from it and a proxy of it have it too.
 */
const inside: unique symbol = Symbol.for("watchword/inside")

export interface Inside {
  readonly context: Context.Context<Services>
  /** Runs an effect as direct calls do: it rejects with their errors, and once the service has ended. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>
}

/** A running service. Its type is without the symbol, which an editor would offer among its members. */
export interface Running {
  readonly handle: HandlePromise
  readonly drain: () => void
}

/** The service with its internals. */
export const holding = <S extends Running>(service: S, internals: Inside): S =>
  Object.assign(service, { [inside]: internals })

/** Throws for anything other than a service. @param what names the function that needs a service */
export const of = (service: Running, what: string): Inside => {
  if (!holds(service)) throw new TypeError(`${what} needs a service of createWatchword`)
  return service[inside]
}

const holds = (service: unknown): service is { readonly [inside]: Inside } =>
  typeof service === "object" && service !== null && inside in service
