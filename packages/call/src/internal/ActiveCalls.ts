/**
 * The calls of this process, from their beginning until their end is stored.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import { WaitUntil } from "@watchword/send/pipeline"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Scope } from "effect/Scope"
import type { Service as Gateway } from "../CallGateway.ts"
import * as Delays from "./Delays.ts"

/** The ringing of a call. */
export interface Ringing {
  /** Milliseconds since the epoch: by a clock that runs evenly, or as it was stored by an earlier process. */
  readonly rangAt: number
  /** Whether the send's outcome is open, because its process died before writing it. */
  readonly isOpen: boolean
  /** Whether an INVITE may have left before: its dialog is stored. */
  readonly mayHaveRung: boolean
}

export interface Service {
  /** Adds a call that is about to be placed. */
  readonly add: (delivery: DeliveryId) => void
  readonly has: (delivery: DeliveryId) => boolean
  /** Records that the phone rings. */
  readonly ring: (delivery: DeliveryId, ringing: Ringing) => void
  /** Hangs up after `maxRing` seconds; `waitUntil` receives the fiber that does. */
  readonly limit: (delivery: DeliveryId, gateway: Gateway, maxRing: number, waitUntil: WaitUntil) => void
  /** Waits for a call's ringing; null for a call of another process. */
  readonly ringing: (delivery: DeliveryId) => Effect.Effect<Ringing | null>
  /** Removes a call whose end is stored, or that has failed. */
  readonly remove: (delivery: DeliveryId) => void
  /** Waits until there are no calls, for some seconds at most. */
  readonly drained: Effect.Effect<void>
}

const PATIENCE = "5 seconds"

type WaitUntil = typeof WaitUntil.Service

interface ActiveCall {
  /** An end may be published before `dial` has returned to the send. */
  readonly ringing: Deferred.Deferred<Ringing>
  /** The limit of its ringing. */
  limit: Delays.Delay | null
}

export const make: Effect.Effect<Service, never, Scope> = Effect.gen(function* () {
  const calls = new Map<DeliveryId, ActiveCall>()
  const empty = yield* Latch.make(true)
  const delays = yield* Delays.make

  const add = (delivery: DeliveryId): void => {
    if (calls.size === 0) empty.closeUnsafe()
    calls.set(delivery, { ringing: Deferred.makeUnsafe(), limit: null })
  }

  const ring = (delivery: DeliveryId, ringing: Ringing): void => {
    const call = calls.get(delivery)
    if (call !== undefined) Deferred.doneUnsafe(call.ringing, Effect.succeed(ringing))
  }

  const limit = (delivery: DeliveryId, gateway: Gateway, maxRing: number, waitUntil: WaitUntil): void => {
    const call = calls.get(delivery)
    if (call === undefined) return
    const hangup = Effect.suspend(() => gateway.hangup(delivery, "NO_ANSWER"))
    const within = Effect.provideService(hangup, WaitUntil, waitUntil)
    call.limit = delays.run(maxRing * 1000, within, waitUntil)
  }

  const ringing = (delivery: DeliveryId): Effect.Effect<Ringing | null> => {
    const call = calls.get(delivery)
    return call === undefined ? Effect.succeed(null) : Deferred.await(call.ringing)
  }

  const remove = (delivery: DeliveryId): void => {
    calls.get(delivery)?.limit?.cancel()
    calls.delete(delivery)
    if (calls.size === 0) empty.openUnsafe()
  }

  const drained = Effect.asVoid(Effect.timeoutOption(Effect.interruptible(empty.await), PATIENCE))

  return { add, has: (delivery) => calls.has(delivery), ring, limit, ringing, remove, drained }
})
