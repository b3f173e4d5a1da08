/**
 * The ends of calls, on their way to whoever handles them.
 */
import * as Background from "@watchword/send/Background"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { Ended } from "./CallGateway.ts"

/** How long a handler whose scope closes may work on what it has begun. */
const GRACE = "5 seconds"
const SHORTEST = "100 millis"
const AGAIN = Schedule.min([Schedule.exponential(SHORTEST), Schedule.spaced("10 seconds")])

export class Endings {
  private readonly handlers = new Set<(event: Ended) => void>()
  private waiting: Array<Ended> = []

  /** Has an end handled by every handler there is, or by the first that comes. */
  offer(event: Ended): void {
    if (this.handlers.size === 0) this.waiting.push(event)
    for (const handler of this.handlers) handler(event)
  }

  add(handler: (event: Ended) => void): void {
    this.handlers.add(handler)
    const waiting = this.waiting
    this.waiting = []
    for (const event of waiting) this.offer(event)
  }

  remove(handler: (event: Ended) => void): void {
    this.handlers.delete(handler)
  }
}

/** Gives every later end to `handle` until the scope closes. Each is handled in a fiber of its own. */
export const subscribe = Effect.fnUntraced(function* (
  endings: Endings,
  handle: (event: Ended) => Effect.Effect<void, StoreError>
): Effect.fn.Return<void, never, Scope> {
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const running = new Set<Fiber.Fiber<void, StoreError>>()
  const handler = (event: Ended): void => {
    const storing = Effect.suspend(() => handle(event))
    const fiber = run(storing.pipe(Effect.catch((error) => again(storing, error))))
    if (fiber.pollUnsafe() !== undefined) return
    running.add(fiber)
    fiber.addObserver(() => running.delete(fiber))
    Background.waitUntilUnsafe(fiber)
  }
  yield* Effect.addFinalizer(() => {
    endings.remove(handler)
    const finished = Effect.suspend(() => Fiber.awaitAll(running))
    const stopped = Effect.suspend(() => Fiber.interruptAll(running))
    return Effect.andThen(Effect.timeoutOption(Effect.interruptible(finished), GRACE), stopped)
  })
  endings.add(handler)
})

/** After a first failure; otherwise every end would pay for the schedule. */
const again = (storing: Effect.Effect<void, StoreError>, error: StoreError): Effect.Effect<void, StoreError> =>
  Effect.andThen(told(error), Effect.delay(Effect.retry(Effect.tapError(storing, told), AGAIN), SHORTEST))

const told = (error: StoreError): Effect.Effect<void> =>
  Effect.logError("the end of a call could not be stored and will be again", error)
