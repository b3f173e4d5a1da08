/**
 * Background work of a service: receipts of the sandbox, retries, periodic jobs.
 *
 * A server runs it freely. Where all work belongs to a request, as on Cloudflare Workers, `BackgroundAllowed` is false
 * and nothing starts by itself; a fiber that a request leaves running is passed to the host's `WaitUntil`, which keeps
 * the request alive until the fiber has ended.
 *
 * @example
 * ```ts
 * import { WaitUntil } from "@watchword/send/pipeline"
 * import * as Effect from "effect/Effect"
 * import type * as Fiber from "effect/Fiber"
 *
 * const running = new Set<Fiber.Fiber<unknown, unknown>>()
 *
 * const answer = <A>(request: Effect.Effect<A>) =>
 *   Effect.provideService(request, WaitUntil, (fiber) => running.add(fiber))
 * ```
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Scope } from "effect/Scope"

/** Whether services may run work that belongs to no request. Read when a service is made. */
export const BackgroundAllowed = Context.Reference<boolean>("@watchword/send/pipeline/Background/BackgroundAllowed", {
  defaultValue: () => true
})

/** Receives each fiber that a request leaves running. Provided with the request, not to the services. */
export const WaitUntil = Context.Reference<(fiber: Fiber.Fiber<unknown, unknown>) => void>(
  "@watchword/send/pipeline/Background/WaitUntil",
  { defaultValue: () => () => {} }
)

/** Forks an effect that may outlive the request, but not the scope. */
export const fork = <A, E, R>(effect: Effect.Effect<A, E, R>, scope: Scope): Effect.Effect<void, never, R> =>
  Effect.flatMap(Effect.forkIn(effect, scope), waitUntil)

/** Passes a fiber to the `WaitUntil` of the current request. */
const waitUntil = (fiber: Fiber.Fiber<unknown, unknown>): Effect.Effect<void> =>
  Effect.map(WaitUntil, (keep) => keep(fiber))

/** The same from a function that runs in the request's fiber. */
export const waitUntilUnsafe = (fiber: Fiber.Fiber<unknown, unknown>): void => {
  const current = Fiber.getCurrent()
  if (current !== undefined) Context.get(current.context, WaitUntil)(fiber)
}
