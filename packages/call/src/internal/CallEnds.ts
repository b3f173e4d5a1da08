/**
 * The events of a gateway: the ends of its calls, published again until they are handled, and calls to us.
 */
import { EventHub, type Handler } from "@watchword/send/gateway"
import { waitUntilUnsafe } from "@watchword/send/pipeline"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { CallEvent } from "./Called.ts"
import type { Ended } from "./Ended.ts"

export interface CallEnds {
  /** Publishes the end of a call; it is handled in the background. */
  readonly publish: (event: Ended) => void
  /** Publishes an event, and answers once it is handled. */
  readonly stored: (event: CallEvent) => Effect.Effect<void, Error>
  /** Gives every later event to the handler, until the scope closes. */
  readonly subscribe: (handle: Handler<CallEvent, StoreError>) => Effect.Effect<void, never, Scope>
}

const SHORTEST = "100 millis"
const RETRY = Schedule.min([Schedule.exponential(SHORTEST), Schedule.spaced("10 seconds")])

/** The ends of calls until the scope closes. */
export const make: Effect.Effect<CallEnds, never, Scope> = Effect.gen(function* () {
  const hub = new EventHub<CallEvent, StoreError>()
  const fork = yield* FiberSet.makeRuntime<never>()
  const logged = (error: Error) =>
    Effect.logError("the end of a call could not be stored and will be tried again", error)
  const stored = (event: Ended) => Effect.tapError(hub.publish(event), logged)
  const again = (event: Ended) => Effect.orDie(Effect.delay(Effect.retry(stored(event), RETRY), SHORTEST))
  return {
    publish: (event) => {
      // Only an end that has failed pays for a schedule.
      waitUntilUnsafe(fork(stored(event).pipe(Effect.catch(() => again(event)))))
    },
    stored: (event) => hub.publish(event),
    subscribe: (handle) => hub.subscribe(handle)
  }
})
