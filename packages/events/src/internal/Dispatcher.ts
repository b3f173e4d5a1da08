/**
 * The dispatcher: takes events that are due from the outbox of the store, and sends them to their endpoints.
 *
 * Every process looks for events, and a lease keeps two from sending the same. Events that a process has taken and not
 * settled when it dies are due again at the end of its lease: a receiver may get an event twice, and none is lost.
 */
import { BackgroundAllowed, DeliveryChanges, type InstallationSecret, isNews, keepJob } from "@watchword/send/pipeline"
import { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type { Scope } from "effect/Scope"
import type { Endpoints } from "./Endpoints.ts"
import { Handlers } from "./Handlers.ts"
import * as Attempt from "./Attempt.ts"
import * as Places from "./Places.ts"
import { throughputs } from "./Throughput.ts"

export interface Service {
  /** Sends all due events, each once. A service with background work does so by itself. */
  readonly pass: Effect.Effect<void, StoreError>
}

export class Dispatcher extends Context.Service<Dispatcher, Service>()("@watchword/events/internal/Dispatcher") {}

/** Longer than an attempt may take, which ends after 15 seconds; in milliseconds. */
const LEASE = 20_000

/** How much of a lease may pass before an attempt begins, in milliseconds. */
const SPARE = 4_000

/** Cache TTL of endpoint throughputs, in milliseconds. */
const FRESH_FOR = 1_000

/**
 * How long the end of the service may take to send due events. Another process, or the next one, sends the rest.
 */
const DRAIN_FOR = "10 seconds"

/** How long events that were sent or have failed can be replayed, and how often older ones are deleted. */
const KEPT_FOR = Duration.toMillis("7 days")
const PRUNED_EVERY = Duration.toMillis("10 minutes")

type Needs = DeliveryChanges | Endpoints | Handlers | InstallationSecret | Settings | Store

const make: Effect.Effect<Service, never, Needs | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const settings = yield* Settings
  const handlers = yield* Handlers
  const attempt = yield* Attempt.make
  const sending = yield* FiberSet.make<void>()
  const wake = yield* Queue.sliding<void>(1)
  const places = Places.make()

  /**
   * Attempts at the events of a request and settles them. Where that cannot be stored, they are due after their lease.
   */
  const settled = (request: Places.Request): Effect.Effect<void> =>
    Effect.flatMap(attempt(request), (settlements) =>
      settlements.length === 0 ? Effect.void : store.settleEvents(settlements)
    ).pipe(
      Effect.catchCause((cause) =>
        Effect.logError(
          "an event could not be sent; it is tried again",
          { event: request.rows[0].id, webhook: request.rows[0].endpoint },
          cause
        )
      )
    )

  /** Later requests of a place are not tried where the first ones have taken too much of their leases. */
  const inTurn = Effect.fnUntraced(function* ([first, ...later]: Places.Place) {
    const began = yield* Clock.currentTimeMillis
    yield* settled(first)
    for (const request of later) {
      const isLate = (yield* Clock.currentTimeMillis) - began > SPARE
      yield* isLate ? postponed(request) : settled(request)
    }
  })

  const postponed = (request: Places.Request): Effect.Effect<void> =>
    Effect.flatMap(Attempt.postponed(request), store.settleEvents).pipe(Effect.ignoreCause)

  const kept = (place: Places.Place): Effect.Effect<void> =>
    Effect.ensuring(
      place.length === 1 ? settled(place[0]) : inTurn(place),
      Effect.suspend(() => (places.end(place) ? Queue.offer(wake, undefined) : Effect.void))
    )

  let readAt = Number.NEGATIVE_INFINITY

  /** The throughputs of endpoints, read while something is pending; null while nothing is. */
  const throughputsNow = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now - readAt >= FRESH_FOR) {
      if ((yield* store.eventBacklog(1)).pending === 0) return null
      readAt = now
    }
    return yield* settings.all(null, throughputs)
  })

  /** Takes due events, begins to send them, and returns their number. */
  const begin = Effect.gen(function* () {
    const free = Places.MOST - (yield* FiberSet.size(sending))
    if (free === 0) return 0
    // By halves, so that the endpoints of one look do not take all places.
    const limit = Math.ceil(free / 2)
    const own = yield* throughputsNow
    if (own === null) return 0
    const may = places.look(free, own)
    const rows = yield* store.takeEvents({ lease: LEASE, limit, ...may })
    yield* Effect.forEach(places.begin(rows), (place) => FiberSet.run(sending, kept(place)), { discard: true })
    if (rows.length === limit) yield* Queue.offer(wake, undefined)
    return rows.length
  }).pipe(Effect.uninterruptible)

  const pass = Effect.gen(function* () {
    yield* handlers.note
    while ((yield* begin) > 0) yield* FiberSet.awaitEmpty(sending)
    yield* prune
  })

  let prunedAt = 0
  const prune = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now - prunedAt < PRUNED_EVERY) return
    prunedAt = now
    yield* store.pruneEvents(Math.max(0, now - KEPT_FOR))
  })

  yield* (yield* DeliveryChanges).onChange(isNews, () => Effect.asVoid(Queue.offer(wake, undefined)))
  if (yield* BackgroundAllowed) {
    yield* Effect.addFinalizer(() => drained(pass, sending))
    yield* Queue.offer(wake, undefined)
  }
  yield* keepJob("events", Effect.andThen(handlers.note, Effect.andThen(begin, prune)), Queue.take(wake))
  return Dispatcher.of({ pass })
})

/** Sends due events before the store closes, and waits for requests in flight. */
const drained = (pass: Service["pass"], sending: FiberSet.FiberSet<void>): Effect.Effect<void> =>
  Effect.ignoreCause(pass).pipe(
    Effect.andThen(FiberSet.awaitEmpty(sending)),
    Effect.timeoutOption(DRAIN_FOR),
    Effect.asVoid
  )

export const layer: Layer.Layer<Dispatcher, never, Needs> = Layer.effect(Dispatcher, make)
