/**
 * Effects that run after a delay: by a timer, or in a fiber of the request on hosts without background work.
 */
import { BackgroundAllowed, type WaitUntil } from "@watchword/send/pipeline"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as Timers from "./Timers.ts"

export interface Delays {
  /** Runs an effect after so many milliseconds; `waitUntil` receives the fiber that does. */
  readonly run: (delay: number, effect: Effect.Effect<unknown>, waitUntil: WaitUntil) => Delay
}

/** An effect that has not run. */
export type Delay = Timers.Timer

type WaitUntil = typeof WaitUntil.Service

/** Delays that are cancelled when the scope closes. */
export const make: Effect.Effect<Delays, never, Scope> = Effect.gen(function* () {
  const timers = yield* Timers.make
  // The service's context: the request's would be kept in memory for as long as the delay.
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const pending = new Set<Delay>()
  yield* Effect.addFinalizer(() => Effect.sync(() => pending.forEach(({ cancel }) => cancel())))

  const byTimer: Delays["run"] = (delay, effect, waitUntil) => timers.after(delay, () => waitUntil(fork(effect)))

  const byFiber: Delays["run"] = (delay, effect, waitUntil) => {
    const fiber = fork(Effect.delay(effect, delay))
    const pended = { cancel: () => fiber.interruptUnsafe() }
    pending.add(pended)
    fiber.addObserver(() => pending.delete(pended))
    waitUntil(fiber)
    return pended
  }

  return { run: (yield* BackgroundAllowed) ? byTimer : byFiber }
})
