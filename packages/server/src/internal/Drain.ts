/**
 * Draining: a service stops after the requests in flight.
 */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Handle } from "../Host.ts"

/**
 * A handler that the closing of its scope waits for: requests in flight are finished, also those whose
 * client has gone; later ones are refused.
 */
export const make = (handle: Handle, refuse: Handle): Effect.Effect<Handle, never, Scope> =>
  Effect.gen(function* () {
    let inFlight = 0
    let closing = false
    let whenIdle = () => {}

    yield* Effect.addFinalizer(() =>
      Effect.callback<void>((resume) => {
        closing = true
        whenIdle = () => resume(Effect.void)
        if (inFlight === 0) whenIdle()
      })
    )

    const finished = () => {
      inFlight--
      if (closing && inFlight === 0) whenIdle()
      return Effect.void
    }

    return (request) =>
      Effect.uninterruptible(
        Effect.suspend(() => {
          if (closing) return refuse(request)
          inFlight++
          return Effect.onExit(handle(request), finished)
        })
      )
  })
