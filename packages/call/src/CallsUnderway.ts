/**
 * The calls of this process, from their beginning until their end is stored.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import * as Background from "@watchword/send/Background"
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
  readonly begin: (delivery: DeliveryId) => void
  /** Whether a call is one of this process, and not over. */
  readonly knows: (delivery: DeliveryId) => boolean
  /** The phone rings. */
  readonly ring: (delivery: DeliveryId, rung: Rung) => void
  /** Hangs up after `maxRing` seconds, unless the call is forgotten before; `waitUntil` is told of what it runs. */
  readonly limit: (delivery: DeliveryId, gateway: Gateway, maxRing: number, waitUntil: WaitUntil) => void
  /** What is known of a call, as soon as it is; null for a call that is not of this process. */
  readonly rung: (delivery: DeliveryId) => Effect.Effect<Rung | null>
  /** The end is stored, or there will be none. */
  readonly forget: (delivery: DeliveryId) => void
  /** Waits until all calls are forgotten, for some seconds at most. */
  readonly settled: Effect.Effect<void>
}

const PATIENCE = "5 seconds"

type WaitUntil = typeof Background.WaitUntil.Service

class Known {
  rung: Rung | null = null
  /** For an end that is told before whoever placed the call has heard that it rings. */
  awaited: Deferred.Deferred<Rung> | null = null
  /** The limit of its ringing. */
  limit: Timers.Timer | null = null
}

export const make: Effect.Effect<Service, never, Scope> = Effect.gen(function* () {
  const calls = new Map<DeliveryId, Known>()
  const empty = yield* Latch.make(true)
  const backgroundAllowed = yield* Background.BackgroundAllowed
  const timers = yield* Timers.make
  // With the context of the service: a request's would keep all of the request for as long as its phone rings.
  const run = Effect.runForkWith(yield* Effect.context<never>())
  yield* Effect.addFinalizer(() => Effect.sync(() => calls.forEach(unlimit)))

  const begin = (delivery: DeliveryId): void => {
    if (calls.size === 0) empty.closeUnsafe()
    calls.set(delivery, new Known())
  }

  const knows = (delivery: DeliveryId): boolean => calls.has(delivery)

  const ring = (delivery: DeliveryId, rung: Rung): void => {
    const call = calls.get(delivery)
    if (call === undefined) return
    call.rung = rung
    if (call.awaited !== null) Deferred.doneUnsafe(call.awaited, Effect.succeed(rung))
  }

  /** One clock for all calls; where nothing runs by itself, a fiber that the request knows of. */
  const limit = (delivery: DeliveryId, gateway: Gateway, maxRing: number, waitUntil: WaitUntil): void => {
    const call = calls.get(delivery)
    if (call === undefined) return
    const hangup = Effect.suspend(() =>
      Effect.provideService(gateway.hangup(delivery, "NO_ANSWER"), Background.WaitUntil, waitUntil)
    )
    if (backgroundAllowed) {
      call.limit = timers.after(maxRing * 1000, () => waitUntil(run(hangup)))
    } else {
      const fiber = run(Effect.delay(hangup, maxRing * 1000))
      waitUntil(fiber)
      call.limit = { cancel: () => fiber.interruptUnsafe() }
    }
  }

  const unlimit = (call: Known): void => call.limit?.cancel()

  const rung = (delivery: DeliveryId): Effect.Effect<Rung | null> => {
    const call = calls.get(delivery)
    if (call === undefined || call.rung !== null) return Effect.succeed(call?.rung ?? null)
    return Deferred.await((call.awaited ??= Deferred.makeUnsafe()))
  }

  const forget = (delivery: DeliveryId): void => {
    const call = calls.get(delivery)
    if (call === undefined) return
    unlimit(call)
    calls.delete(delivery)
    if (calls.size === 0) empty.openUnsafe()
  }

  const settled = Effect.asVoid(Effect.timeoutOption(Effect.interruptible(empty.await), PATIENCE))

  return { begin, knows, ring, limit, rung, forget, settled }
})
