/**
 * The internals of a service, under a symbol: for functions that a program imports where it uses them. As methods of a
 * service they would be in every bundle.
 */
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Services } from "../Services.ts"

/**
 * The key of a service's internals. A copy of a service, an object that inherits from it and a proxy of it have it too.
 */
export const inside: unique symbol = Symbol.for("watchword/inside")

export interface Inside {
  readonly context: Context.Context<Services>
  /** Runs an effect as direct calls do: it rejects with their errors, and once the service has ended. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>
}

/** A running service. */
export interface Running {
  readonly [inside]: Inside
}

/** Throws for anything that is no service. @param what needs one */
export const of = (service: Running, what: string): Inside => {
  const found: unknown = typeof service === "object" && service !== null ? service[inside] : undefined
  if (found === undefined) throw new TypeError(`${what} needs a service of createWatchword`)
  return service[inside]
}
