/**
 * Work that no request waits for: the sandbox's receipts, what is tried again, what is looked after every minute.
 *
 * A server lets it run. Where everything that runs belongs to a request (Cloudflare Workers), nothing may begin
 * by itself, and the host must be told what a request leaves running, so that it lets the request live as long.
 *
 * @example
 * ```ts
 * import * as Background from "@watchword/send/Background"
 * import * as Effect from "effect/Effect"
 * import type * as Fiber from "effect/Fiber"
 *
 * const left = new Set<Fiber.Fiber<unknown, unknown>>()
 *
 * const answer = <A>(request: Effect.Effect<A>) =>
 *   Effect.provideService(request, Background.Leave, (fiber) => left.add(fiber))
 * ```
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Scope } from "effect/Scope"

/** Whether services may run work that belongs to no request. They ask when they are made. */
export const ByItself = Context.Reference<boolean>("@watchword/send/Background/ByItself", { defaultValue: () => true })

/** Is told of each fiber that a request leaves running. Provided with the request, not to the services. */
export const Leave = Context.Reference<(fiber: Fiber.Fiber<unknown, unknown>) => void>(
  "@watchword/send/Background/Leave",
  { defaultValue: () => () => {} }
)

/** Goes on with something after the answer, until the scope closes at the latest. */
export const goOn = <A, E, R>(effect: Effect.Effect<A, E, R>, scope: Scope): Effect.Effect<void, never, R> =>
  Effect.flatMap(Effect.forkIn(effect, scope), leave)

/** Tells the host of a fiber that this request leaves running. */
export const leave = (fiber: Fiber.Fiber<unknown, unknown>): Effect.Effect<void> =>
  Effect.map(Leave, (told) => told(fiber))

/** The same for a function that a request's fiber calls. */
export const leaveUnsafe = (fiber: Fiber.Fiber<unknown, unknown>): void => {
  const current = Fiber.getCurrent()
  if (current !== undefined) Context.get(current.context, Leave)(fiber)
}
