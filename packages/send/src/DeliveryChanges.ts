/**
 * Changes of deliveries in this process: each delivery that a report was about or that was closed for a request which is over,
 * or whose price has come back, after that is stored, and that steps have written events.
 *
 * The layer stands between a store and all that report to it. Subscribers hear of a report before it is answered, and again
 * when it is repeated; not of what other processes store. A subscriber that must miss nothing looks into the store
 * as well.
 */
import type { Delivery } from "@watchword/store/Delivery"
import { type Closed, type Open, Store } from "@watchword/store/Store"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"

/**
 * Runs in the fiber of the report, which waits for it: a subscriber forks what takes time.
 *
 * @param isLeft whether the request that opened the delivery is over, or its process dead
 */
export type Subscriber = (delivery: Delivery, isLeft: boolean) => Effect.Effect<void>

/**
 * Tells subscribers of a close that the request of the send did not make itself; does nothing without the layer. Read when
 * a service is made.
 */
export const ClosedLater = Context.Reference<(closed: Closed) => Effect.Effect<void>>(
  "@watchword/send/DeliveryChanges/ClosedLater",
  { defaultValue: () => () => Effect.void }
)

/** The same of a delivery whose price has come back. */
export type OnReturned = (delivery: Delivery) => Effect.Effect<void>

export interface Service {
  /** Has a subscriber told of each change until the scope closes. */
  readonly subscribe: (subscriber: Subscriber) => Effect.Effect<void, never, Scope>

  /** Has a subscriber told of each delivery whose price has come back, then and at each later report that moves it. */
  readonly onReturned: (subscriber: OnReturned) => Effect.Effect<void, never, Scope>

  /** Runs an effect each time that this process may have written events of the store, until the scope closes. */
  readonly onEvents: (wake: Effect.Effect<void>) => Effect.Effect<void, never, Scope>
}

export class DeliveryChanges extends Context.Service<DeliveryChanges, Service>()("@watchword/send/DeliveryChanges") {}

/** A store that tells subscribers of its reports, in place of the store of the context. */
export const layer: Layer.Layer<DeliveryChanges | Store, never, Store> = Layer.effectContext(
  Effect.gen(function* () {
    const store = yield* Store
    const subscribers = new Set<Subscriber>()
    const returns = new Set<OnReturned>()
    const wakes = new Set<Effect.Effect<void>>()

    const subscribe: Service["subscribe"] = (subscriber) => inSet(subscribers, subscriber)
    const onReturned: Service["onReturned"] = (subscriber) => inSet(returns, subscriber)
    const onEvents: Service["onEvents"] = (wake) => inSet(wakes, wake)

    /** A report that is stored has succeeded, whatever its subscribers do. */
    const tell: Subscriber = (delivery, isLeft) =>
      Effect.forEach([...subscribers], (subscriber) => Effect.catchCause(subscriber(delivery, isLeft), failed), {
        discard: true
      })

    const tellReturned = (delivery: Delivery): Effect.Effect<void> =>
      delivery.phase === "rejected" || delivery.phase === "refunded"
        ? Effect.forEach([...returns], (subscriber) => Effect.catchCause(subscriber(delivery), failed), {
            discard: true
          })
        : Effect.void

    const closedLater = (closed: Closed): Effect.Effect<void> =>
      closed._tag === "Closed" ? tell(closed.delivery, true) : Effect.void

    const wakeAll = Effect.suspend(() => Effect.forEach([...wakes], Effect.catchCause(failed), { discard: true }))

    const wakeFor = ({ watch }: Pick<Delivery, "watch">): Effect.Effect<void> =>
      watch === null ? Effect.void : wakeAll

    const open: typeof store.open = (request) =>
      mayBeNews(request) ? Effect.tap(store.open(request), wakeAll) : store.open(request)

    const close: typeof store.close = (request) =>
      Effect.tap(store.close(request), (closed) =>
        closed._tag === "Closed" ? Effect.andThen(wakeFor(closed.delivery), tellReturned(closed.delivery)) : Effect.void
      )

    const reportOnPrice: typeof store.report = (request) =>
      Effect.tap(store.report(request), (reported) =>
        reported._tag === "Moved" ? tellReturned(reported.delivery) : Effect.void
      )

    const report: typeof store.report = (request) =>
      Effect.tap(reportOnPrice(request), (reported) => {
        if (reported._tag !== "Moved" && reported._tag !== "Unchanged") return Effect.void
        const { delivery } = reported
        const woken = reported._tag === "Moved" ? wakeFor(delivery) : Effect.void
        return subscribers.size > 0 ? Effect.andThen(woken, tell(delivery, false)) : woken
      })

    const appendEvents: typeof store.appendEvents = (events) => Effect.tap(store.appendEvents(events), wakeAll)
    const replayEvents: typeof store.replayEvents = (query) => Effect.tap(store.replayEvents(query), wakeAll)

    return Context.make(DeliveryChanges, { subscribe, onReturned, onEvents }).pipe(
      Context.add(Store, { ...store, open, close, report, appendEvents, replayEvents }),
      Context.add(ClosedLater, closedLater)
    )
  })
)

/** Whether an open may write events: one that waits for its gateway is news where it leaves little money alone. */
const mayBeNews = ({ close, watch }: Open): boolean =>
  watch !== undefined && (close !== undefined || watch.balanceLow !== undefined)

const inSet = <A>(set: Set<A>, member: A): Effect.Effect<void, never, Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => set.add(member)),
      () => Effect.sync(() => set.delete(member))
    )
  )

const failed = (cause: unknown): Effect.Effect<void> =>
  Effect.logError("a subscriber to changes of deliveries failed", cause)
