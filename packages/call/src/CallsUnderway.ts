/**
 * The calls of this process, from their beginning until their end is stored.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import * as Background from "@watchword/send/Background"
import { Register } from "@watchword/store/Register"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Scope } from "effect/Scope"
import type { Service as Gateway } from "./CallGateway.ts"
import * as Timers from "./Timers.ts"

/** What is known of a call that rings. */
export interface Rung {
  /** Milliseconds since the epoch. */
  readonly rangAt: number
  /** Whether the send's outcome is open: it was left by a process that died before it had written it. */
  readonly isOpen: boolean
}

export interface Service {
  /** Takes note of a call that is about to be placed. */
  readonly begin: (delivery: DeliveryId) => Effect.Effect<void>
  /** Whether a call is one of this process, and not over. */
  readonly knows: (delivery: DeliveryId) => boolean
  /** The phone rings. */
  readonly ring: (delivery: DeliveryId, rung: Rung) => Effect.Effect<void>
  /** Hangs up after `maxRing` seconds, unless the call is forgotten before. */
  readonly limit: (delivery: DeliveryId, gateway: Gateway, maxRing: number) => Effect.Effect<void>
  /** What is known of a call, as soon as it is; null for a call that is not of this process. */
  readonly rung: (delivery: DeliveryId) => Effect.Effect<Rung | null>
  /** The end is stored, or there will be none. */
  readonly forget: (delivery: DeliveryId) => Effect.Effect<void>
  /** Waits until all calls are forgotten, for some seconds at most. */
  readonly settled: Effect.Effect<void>
}

const PATIENCE = "5 seconds"

type Leave = typeof Background.Leave.Service

interface Known {
  readonly rung: Deferred.Deferred<Rung>
  /** Takes the time limit from it. */
  unlimit: () => void
}

export const make: Effect.Effect<Service, never, Scope> = Effect.gen(function* () {
  const calls = new Register<DeliveryId, Known>()
  const empty = yield* Latch.make(true)
  const byItself = yield* Background.ByItself
  const timers = yield* Timers.make
  // With the context of the service: a request's would keep all of the request for as long as its phone rings.
  const run = Effect.runForkWith(yield* Effect.context<never>())
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const { unlimit } of calls.all()) unlimit()
    })
  )

  const begin = (delivery: DeliveryId) =>
    Effect.sync(() => {
      calls.add(delivery, { rung: Deferred.makeUnsafe(), unlimit: () => {} })
      empty.closeUnsafe()
    })

  const knows = (delivery: DeliveryId): boolean => calls.has(delivery)

  const ring = (delivery: DeliveryId, rung: Rung) =>
    Effect.suspend(() => {
      const call = calls.get(delivery)
      return call === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(call.rung, rung))
    })

  const limit = (delivery: DeliveryId, gateway: Gateway, maxRing: number) =>
    Effect.map(Background.Leave, (leave) => {
      const call = calls.get(delivery)
      if (call === undefined) return
      const hangup = Effect.provideService(gateway.hangup(delivery, "NO_ANSWER"), Background.Leave, leave)
      call.unlimit = after(maxRing * 1000, hangup, leave)
    })

  /** One clock for all calls; where nothing runs by itself, a fiber that the request knows of. */
  const after = (delay: number, hangup: Effect.Effect<unknown>, leave: Leave): (() => void) => {
    if (byItself) {
      const timer = timers.after(delay, () => leave(run(hangup)))
      return () => timers.cancel(timer)
    }
    const fiber = run(Effect.delay(hangup, delay))
    leave(fiber)
    return () => fiber.interruptUnsafe()
  }

  // An end may be told before whoever placed the call has heard that it rings.
  const rung = (delivery: DeliveryId) =>
    Effect.suspend((): Effect.Effect<Rung | null> => {
      const call = calls.get(delivery)
      return call === undefined ? Effect.succeed(null) : Deferred.await(call.rung)
    })

  const forget = (delivery: DeliveryId) =>
    Effect.sync(() => {
      calls.get(delivery)?.unlimit()
      calls.delete(delivery)
      if (calls.size === 0) empty.openUnsafe()
    })

  const settled = Effect.asVoid(Effect.timeoutOption(Effect.interruptible(empty.await), PATIENCE))

  return { begin, knows, ring, limit, rung, forget, settled }
})
