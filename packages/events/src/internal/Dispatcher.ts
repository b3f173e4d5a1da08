/**
 * The dispatcher: takes events that are due from the outbox of the store, and sends them to their endpoints.
 *
 * Every process looks for events, and a lease keeps two from sending the same. What a process has taken and not settled
 * when it dies is due again at the end of its lease: a receiver may get an event twice, and none is lost.
 */
import { BackgroundAllowed } from "@watchword/send/internal/Background"
import { DeliveryChanges } from "@watchword/send/internal/DeliveryChanges"
import * as Job from "@watchword/send/internal/Job"
import type { Settings } from "@watchword/store/Settings"
import type { TakenEvent } from "@watchword/store/internal/EventStore"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import type { InstallationSecret } from "@watchword/send/internal/InstallationSecret"
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

export interface Service {
  /** Sends all that is due, each once. A service with background work does so by itself. */
  readonly pass: Effect.Effect<void, StoreError>
}

export class Dispatcher extends Context.Service<Dispatcher, Service>()("@watchword/events/internal/Dispatcher") {}

/** Longer than an attempt may take, which ends after 15 seconds; in milliseconds. */
const LEASE = 20_000

/** How many events of an endpoint are sent at once by all processes, and how many of all endpoints by one process. */
const PER_ENDPOINT = 8
const MOST = 256

/**
 * The part of the free places that an endpoint may have. One that answers frees its own at once; those that hang leave
 * some to others, because what each may hold falls with what is free. {@link Attempt} bounds those that are known to fail.
 *
 * Source: Choudhury and Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, 1998.
 */
const SHARE = 1 / 32

/** How long the end of the service may take to send what is due. What is left is sent by another process, or the next. */
const DRAIN_FOR = "10 seconds"

/** How long events that were sent or have failed can be replayed, and how often older ones are deleted. */
const KEPT_FOR = Duration.toMillis("7 days")
const PRUNED_EVERY = Duration.toMillis("10 minutes")

type Needs = DeliveryChanges | Endpoints | Handlers | InstallationSecret | Settings | Store

export const make: Effect.Effect<Service, never, Needs | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const handlers = yield* Handlers
  const attempt = yield* Attempt.make
  const sending = yield* FiberSet.make<void>()
  const wake = yield* Queue.sliding<void>(1)
  /** How many events of each endpoint are under way here, and how many of one the last look could have had. */
  const underWay = new Map<string, number>()
  let places = 0

  /** Attempts at an event and settles it. Where that cannot be stored, the event is due again after its lease. */
  const settled = (row: TakenEvent): Effect.Effect<void> =>
    Effect.flatMap(attempt(row), (settlement) =>
      settlement === null ? Effect.void : store.settleEvent(settlement)
    ).pipe(
      Effect.catchCause((cause) =>
        Effect.logError(
          "an event could not be sent; it is tried again",
          { event: row.id, webhook: row.endpoint },
          cause
        )
      ),
      Effect.ensuring(Effect.suspend(() => left(row)))
    )

  /**
   * Counts an event as done, and looks again where others may wait for its place: the endpoint had all of its places, or
   * has nothing under way here any more, while other processes may have had the rest of them.
   */
  const left = ({ endpoint }: TakenEvent): Effect.Effect<unknown> => {
    const before = underWay.get(endpoint) ?? 1
    if (before > 1) underWay.set(endpoint, before - 1)
    else underWay.delete(endpoint)
    return before === 1 || before >= places ? Queue.offer(wake, undefined) : Effect.void
  }

  /** Takes what is due, begins to send it, and answers how much there was. */
  const begin = Effect.gen(function* () {
    // An event that is settled during the look may have kept its place from others until then.
    places = 0
    const free = MOST - (yield* FiberSet.size(sending))
    if (free === 0) return 0
    // By halves, so that the endpoints of one look do not take the places that each may have alone.
    const limit = Math.ceil(free / 2)
    const perEndpoint = Math.min(PER_ENDPOINT, Math.ceil(free * SHARE))
    const rows = yield* store.takeEvents({ lease: LEASE, limit, perEndpoint })
    for (const { endpoint } of rows) underWay.set(endpoint, (underWay.get(endpoint) ?? 0) + 1)
    places = perEndpoint
    yield* Effect.forEach(rows, (row) => FiberSet.run(sending, settled(row)), { discard: true })
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

  yield* (yield* DeliveryChanges).onEvents(Effect.asVoid(Queue.offer(wake, undefined)))
  if (yield* BackgroundAllowed) {
    yield* Effect.addFinalizer(() => drained(pass, sending))
    yield* Queue.offer(wake, undefined)
  }
  yield* Job.keep("events", Effect.andThen(handlers.note, Effect.andThen(begin, prune)), Queue.take(wake))
  return Dispatcher.of({ pass })
})

/** Sends what is due before the store closes, and waits for what is being sent. */
const drained = (pass: Service["pass"], sending: FiberSet.FiberSet<void>): Effect.Effect<void> =>
  Effect.ignoreCause(pass).pipe(
    Effect.andThen(FiberSet.awaitEmpty(sending)),
    Effect.timeoutOption(DRAIN_FOR),
    Effect.asVoid
  )

export const layer: Layer.Layer<Dispatcher, never, Needs> = Layer.effect(Dispatcher, make)
