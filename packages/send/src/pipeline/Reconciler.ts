/**
 * Reconciliation of sends that no request waits for any more.
 *
 * - A `pending` send whose process has no valid lease becomes `unknown`: it may have left, so the hold stays.
 * - An `unknown` send is settled by a receipt; a day after it was opened it is released.
 *
 * A pass runs once before the service serves, and every minute after that; deliveries of dead processes are looked for
 * every ten seconds. Without background work the host runs the passes, see `Maintenance` of `watchword/Services`.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { Delivery, Status } from "@watchword/store/Delivery"
import { type Close, Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BackgroundAllowed } from "./Background.ts"
import { DeliveryChanges } from "./DeliveryChanges.ts"
import { Heartbeat } from "./Heartbeat.ts"
import * as Job from "./Job.ts"

export interface Options {
  /** The status of a record that is given up, by product. */
  readonly failed: Readonly<Record<Product, Status>>
  /** How long a send can be in flight in a living process; longer than any gateway's time limit. */
  readonly pendingAfter?: Duration.Input
  /** How long an unknown outcome keeps its hold. */
  readonly releaseAfter?: Duration.Input
  /** How long reports that match no delivery yet are kept for a late `close`. */
  readonly unmatchedFor?: Duration.Input
  /**
   * The most such reports that a pass leaves of a channel, 10,000 unless given. The oldest are dropped, with a warning:
   * an account that other systems share at the carrier brings their receipts too.
   */
  readonly unmatchedLimit?: number
}

/** How many sends one pass closed. */
export interface Pass {
  /** From `pending` to `unknown`. */
  readonly interrupted: number
  /** From `unknown` to `rejected`. */
  readonly released: number
}

export interface Service {
  /** One pass. Safe to run at any time and in several processes at once. */
  readonly run: Effect.Effect<Pass, StoreError>
}

export class Reconciler extends Context.Service<Reconciler, Service>()("@watchword/send/pipeline/Reconciler") {}

const BATCH = 500

export const make = Effect.fnUntraced(function* (options: Options) {
  const store = yield* Store
  // Sends of this process in flight are its own only once it has a lease.
  yield* Heartbeat
  const backgroundAllowed = yield* BackgroundAllowed
  const { closedLater } = yield* DeliveryChanges
  const pendingAfter = Duration.toMillis(options.pendingAfter ?? "2 minutes")
  const releaseAfter = Duration.toMillis(options.releaseAfter ?? "24 hours")
  const unmatchedFor = Duration.toMillis(options.unmatchedFor ?? "10 minutes")
  const unmatchedLimit = options.unmatchedLimit ?? 10_000

  // Closing takes a delivery out of its phase, so the same query brings the next ones. A delivery that cannot be closed
  // would come again: a batch without progress ends the pass.
  const closeAll = Effect.fnUntraced(function* (
    query: {
      readonly phase: "pending" | "unknown"
      readonly createdBefore: number
      readonly abandoned: boolean
    },
    close: (delivery: Delivery) => Close
  ) {
    let count = 0
    for (;;) {
      const batch = yield* store.unresolved({ ...query, limit: BATCH })
      const results = yield* Effect.forEach(
        batch,
        (delivery) => Effect.tap(store.close(close(delivery)), closedLater),
        {
          concurrency: "unbounded"
        }
      )
      const closed = results.filter((result) => result._tag === "Closed").length
      count += closed
      if (batch.length < BATCH || closed === 0) return count
    }
  })

  const interrupt = (query: { readonly createdBefore: number; readonly abandoned: boolean }, at: number) =>
    closeAll({ phase: "pending", ...query }, (delivery) => ({
      id: delivery.id,
      outcome: "unknown",
      status: delivery.status,
      refs: [],
      details: interruptedDetails,
      at
    }))

  const interruptAbandoned = Effect.fnUntraced(function* () {
    const at = yield* Clock.currentTimeMillis
    const count = yield* interrupt({ createdBefore: Number.MAX_SAFE_INTEGER, abandoned: true }, at)
    if (count > 0) yield* Effect.logInfo("marked the sends of a dead process as unknown", { interrupted: count })
    return count
  })

  const run = Effect.fnUntraced(function* () {
    // Without leases the age of a send decides.
    const abandoned = backgroundAllowed ? yield* interruptAbandoned() : 0
    const at = yield* Clock.currentTimeMillis
    const interrupted = abandoned + (yield* interrupt({ createdBefore: at - pendingAfter, abandoned: false }, at))
    const released = yield* closeAll(expired(at - releaseAfter), (delivery) => ({
      id: delivery.id,
      outcome: "rejected",
      status: options.failed[delivery.channel] ?? delivery.status,
      refs: [],
      details: {},
      at
    }))
    const { dropped } = yield* store.sweep({ at, unmatchedBefore: at - unmatchedFor, unmatchedLimit })
    for (const [channel, reports] of dropped) {
      yield* Effect.logWarning("dropped reports that match no delivery", { channel, reports, unmatchedLimit })
    }
    if (interrupted + released > 0) yield* Effect.logInfo("reconciled sends", { interrupted, released })
    return { interrupted, released }
  })

  if (backgroundAllowed) yield* run()
  yield* Job.keep("reconciliation", run())
  yield* Job.keep("sends of dead processes", interruptAbandoned())
  return Reconciler.of({ run: run() })
})

const expired = (createdBefore: number) => ({ phase: "unknown", createdBefore, abandoned: false }) as const

const interruptedDetails = {
  failure: "SERVICE_UNAVAILABLE",
  failure_message: "The service stopped in the middle of this send; it is unknown whether the message was sent."
}

/** Reconciles once when it is built, then as long as it lives. */
export const layer = (options: Options): Layer.Layer<Reconciler, StoreError, DeliveryChanges | Heartbeat | Store> =>
  Layer.effect(Reconciler, make(options))
