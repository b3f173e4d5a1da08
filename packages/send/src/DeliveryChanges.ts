/**
 * Changes of deliveries in this process: each delivery that a report has moved, after the move is stored.
 *
 * The layer stands between a store and all that report to it. Subscribers are told at most once, and not of what other
 * processes store: a subscriber that must miss nothing looks into the store as well.
 */
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"

/** Runs in the fiber of the report, which waits for it: a subscriber forks what takes time. */
export type Subscriber = (delivery: Delivery) => Effect.Effect<void>

export interface Service {
  /** Has a subscriber told of each change until the scope closes. */
  readonly subscribe: (subscriber: Subscriber) => Effect.Effect<void, never, Scope>
}

export class DeliveryChanges extends Context.Service<DeliveryChanges, Service>()("@watchword/send/DeliveryChanges") {}

/** A store that tells subscribers of its reports, in place of the store of the context. */
export const layer: Layer.Layer<DeliveryChanges | Store, never, Store> = Layer.effectContext(
  Effect.gen(function* () {
    const store = yield* Store
    const subscribers = new Set<Subscriber>()

    const subscribe: Service["subscribe"] = (subscriber) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => subscribers.add(subscriber)),
          () => Effect.sync(() => subscribers.delete(subscriber))
        )
      )

    /** A report that is stored has succeeded, whatever its subscribers do. */
    const tell = (delivery: Delivery): Effect.Effect<void> =>
      Effect.forEach([...subscribers], (subscriber) => Effect.catchCause(subscriber(delivery), failed), {
        discard: true
      })

    const report: typeof store.report = (request) =>
      Effect.tap(store.report(request), (reported) =>
        reported._tag === "Moved" && subscribers.size > 0 ? tell(reported.delivery) : Effect.void
      )

    return Context.make(DeliveryChanges, { subscribe }).pipe(Context.add(Store, { ...store, report }))
  })
)

const failed = (cause: unknown): Effect.Effect<void> =>
  Effect.logError("a subscriber to changes of deliveries failed", cause)
