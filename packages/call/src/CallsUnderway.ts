/**
 * The calls of this process, from their beginning until their end is stored.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import * as Background from "@watchword/send/Background"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Latch from "effect/Latch"
import type { Scope } from "effect/Scope"
import type { Service as Gateway } from "./CallGateway.ts"

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

export const make: Effect.Effect<Service, never, Scope> = Effect.gen(function* () {
  const calls = new Map<DeliveryId, Deferred.Deferred<Rung>>()
  const empty = yield* Latch.make(true)
  const limits = yield* FiberMap.make<DeliveryId>()

  const begin = (delivery: DeliveryId) =>
    Effect.sync(() => {
      calls.set(delivery, Deferred.makeUnsafe())
      empty.closeUnsafe()
    })

  const knows = (delivery: DeliveryId): boolean => calls.has(delivery)

  const ring = (delivery: DeliveryId, rung: Rung) =>
    Effect.suspend(() => {
      const call = calls.get(delivery)
      return call === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(call, rung))
    })

  const limit = (delivery: DeliveryId, gateway: Gateway, maxRing: number) =>
    Effect.flatMap(
      FiberMap.run(limits, delivery, Effect.delay(gateway.hangup(delivery, "NO_ANSWER"), `${maxRing} seconds`)),
      Background.leave
    )

  // An end may be told before whoever placed the call has heard that it rings.
  const rung = (delivery: DeliveryId) =>
    Effect.suspend((): Effect.Effect<Rung | null> => {
      const call = calls.get(delivery)
      return call === undefined ? Effect.succeed(null) : Deferred.await(call)
    })

  const forget = (delivery: DeliveryId) =>
    Effect.suspend(() => {
      calls.delete(delivery)
      if (calls.size === 0) empty.openUnsafe()
      return FiberMap.remove(limits, delivery)
    })

  const settled = Effect.asVoid(Effect.timeoutOption(Effect.interruptible(empty.await), PATIENCE))

  return { begin, knows, ring, limit, rung, forget, settled }
})
