/**
 * Limits on the requests that query the store at the same time.
 */
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/** Runs an effect once for all callers that ask for it while it runs. The first caller cannot be interrupted. */
export const makeShared = <A, E>(): ((effect: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  let running: Deferred.Deferred<A, E> | null = null
  return (effect) =>
    Effect.suspend(() => {
      if (running !== null) return Deferred.await(running)
      const result = Deferred.makeUnsafe<A, E>()
      running = result
      return Effect.uninterruptible(
        Effect.onExit(effect, (exit) => {
          running = null
          return Deferred.done(result, exit)
        })
      )
    })
}

/** Lets effects through, or refuses them. */
export type Limit = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E | ServiceUnavailable>

export const unlimited: Limit = (effect) => effect

/**
 * Runs at most `atOnce` effects at a time. At most `waiting` others wait, and the rest are refused with 503. A running
 * effect cannot be interrupted: the store continues with it even if the client has gone.
 */
export const makeLimit = (atOnce: number, waiting: number): Limit => {
  const permits = Semaphore.makeUnsafe(atOnce)
  let inside = 0
  return <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | ServiceUnavailable> => {
      if (inside === atOnce + waiting) return Effect.fail(tooMany)
      inside++
      return Effect.ensuring(
        permits.withPermit(Effect.uninterruptible(effect)),
        Effect.sync(() => inside--)
      )
    })
}

const tooMany = new ServiceUnavailable({ message: "Too many API keys are being looked up; try again." })
