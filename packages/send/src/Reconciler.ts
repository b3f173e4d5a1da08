/**
 * Finds the sends that nobody is waiting for any more and brings each to an end.
 *
 * - A `pending` send whose process does not live any more becomes `unknown`: it may have left, so the hold stays.
 * - An `unknown` send is settled by a receipt, if one comes; a day after it began it is released.
 *
 * It runs once when the service starts, before it serves, and every minute after that; dead processes are
 * looked for every ten seconds. Where nothing may run by itself, whoever has the service runs it now and then.
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
import * as Schedule from "effect/Schedule"
import { ByItself } from "./Background.ts"
import { Presence } from "./Presence.ts"

export interface Options {
  /** The status of a record that was given up, for each channel there is. */
  readonly failed: { readonly [P in Product]?: Status }
  /** How long a send can be in flight in a living process; longer than any gateway's time limit. */
  readonly pendingAfter?: Duration.Input
  /** How long an unknown outcome keeps its hold. */
  readonly releaseAfter?: Duration.Input
  /** How long receipts for unknown messages are kept for a late `close`. */
  readonly parkedFor?: Duration.Input
}

/** How many sends one pass brought on. */
export interface Pass {
  readonly doubted: number
  readonly released: number
}

export interface Service {
  /** One pass. Safe to run at any time and in several processes at once. */
  readonly run: Effect.Effect<Pass, StoreError>
}

export class Reconciler extends Context.Service<Reconciler, Service>()("@watchword/send/Reconciler") {}

const BATCH = 500

export const make = Effect.fnUntraced(function* (options: Options) {
  const store = yield* Store
  // What this process has in flight is its own only after the store knows that it lives.
  yield* Presence
  const byItself = yield* ByItself
  const pendingAfter = Duration.toMillis(options.pendingAfter ?? "2 minutes")
  const releaseAfter = Duration.toMillis(options.releaseAfter ?? "24 hours")
  const parkedFor = Duration.toMillis(options.parkedFor ?? "48 hours")

  // Closing takes a delivery out of its phase, so the same query brings the next ones. One that cannot be
  // closed would come again: a batch without progress ends the pass.
  const closeAll = Effect.fnUntraced(function* (
    query: {
      readonly phase: "pending" | "unknown"
      readonly createdBefore: number
      readonly abandonedAt: number | null
    },
    close: (delivery: Delivery) => Close
  ) {
    let count = 0
    for (;;) {
      const batch = yield* store.unresolved({ ...query, limit: BATCH })
      const results = yield* Effect.forEach(batch, (delivery) => store.close(close(delivery)), {
        concurrency: "unbounded"
      })
      const closed = results.filter((result) => result._tag === "Closed").length
      count += closed
      if (batch.length < BATCH || closed === 0) return count
    }
  })

  const doubt = (query: { readonly createdBefore: number; readonly abandonedAt: number | null }, at: number) =>
    closeAll({ phase: "pending", ...query }, (delivery) => ({
      id: delivery.id,
      outcome: "unknown",
      status: delivery.status,
      refs: [],
      details: interrupted,
      at
    }))

  const doubtAbandoned = Effect.fnUntraced(function* () {
    const at = yield* Clock.currentTimeMillis
    const doubted = yield* doubt({ createdBefore: at + 1, abandonedAt: at }, at)
    if (doubted > 0) yield* Effect.logInfo("doubted sends that another process left", { doubted })
    return doubted
  })

  const run = Effect.fnUntraced(function* () {
    // Where no process says that it lives, time alone tells.
    const abandoned = byItself ? yield* doubtAbandoned() : 0
    const at = yield* Clock.currentTimeMillis
    const doubted = abandoned + (yield* doubt({ createdBefore: at - pendingAfter, abandonedAt: null }, at))
    const released = yield* closeAll(givenUp(at - releaseAfter), (delivery) => ({
      id: delivery.id,
      outcome: "rejected",
      status: options.failed[delivery.channel] ?? delivery.status,
      refs: [],
      details: {},
      at
    }))
    yield* store.sweep({ at, unmatchedBefore: at - parkedFor })
    if (doubted + released > 0) yield* Effect.logInfo("reconciled sends", { doubted, released })
    return { doubted, released }
  })

  if (byItself) {
    yield* run()
    yield* repeatedly(run(), "1 minute")
    yield* repeatedly(doubtAbandoned(), "10 seconds")
  }
  return Reconciler.of({ run: run() })
})

const repeatedly = <A>(work: Effect.Effect<A, StoreError>, every: Duration.Input) =>
  work.pipe(
    Effect.catchCause((cause) => Effect.logError("reconciling sends failed; it is tried again", cause)),
    Effect.schedule(Schedule.spaced(every)),
    Effect.forkScoped
  )

const givenUp = (createdBefore: number) => ({ phase: "unknown", createdBefore, abandonedAt: null }) as const

const interrupted = {
  failure: "SERVICE_UNAVAILABLE",
  failure_message: "The service stopped in the middle of this send; whether the message was sent is not known."
}

/** Reconciles once, then keeps reconciling while the layer lives. */
export const layer = (options: Options): Layer.Layer<Reconciler, StoreError, Presence | Store> =>
  Layer.effect(Reconciler, make(options))
