/**
 * Changes of deliveries in this process: each delivery that a report was about or that was closed for a request which is over,
 * or whose price has come back, after that is stored, and that steps have written events.
 *
 * `ObservedStore` tells of them. Subscribers hear of a report before it is answered, and again when it is repeated; not of
 * what other processes store. A subscriber that must miss nothing looks into the store as well.
 */
import type { Delivery } from "@watchword/store/Delivery"
import type { Before, Closed } from "@watchword/store/Store"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"

/**
 * Runs in the fiber of the report, which waits for it: a subscriber forks what takes time.
 *
 * @param isLeft whether the request that opened the delivery is over, or its process dead
 */
export type Subscriber = (delivery: Delivery, isLeft: boolean) => Effect.Effect<void>

/** The same of a delivery whose price has come back. */
export type OnReturned = (delivery: Delivery) => Effect.Effect<void>

/** Hears of a delivery after a step, and of how it was before. Null for nothing to run. */
export type OnChange = (before: Before | null, delivery: Delivery) => Effect.Effect<void> | null

export interface Service {
  /** Has a subscriber told of each change until the scope closes. */
  readonly subscribe: (subscriber: Subscriber) => Effect.Effect<void, never, Scope>

  /** Has a subscriber told of each delivery whose price has come back, then and at each later report that moves it. */
  readonly onReturned: (subscriber: OnReturned) => Effect.Effect<void, never, Scope>

  /**
   * Calls a function with each delivery of the sandbox that this process opens, closes or reports about, until it is taken back
   * by what this returns. It must not take long.
   */
  readonly onSandbox: (hear: (delivery: Delivery) => void) => () => void

  /**
   * Calls a function with each delivery that a step of this process has changed, and how it was before; null for one that was
   * opened and closed in one step. It must not take long: what it answers is run, unless it is null.
   */
  readonly onChange: (hear: OnChange) => Effect.Effect<void, never, Scope>

  /** Runs an effect each time that this process may have written events of the store, until the scope closes. */
  readonly onEvents: (wake: Effect.Effect<void>) => Effect.Effect<void, never, Scope>

  /** Informs subscribers of a close that the request of the send did not make itself. */
  readonly closedLater: (closed: Closed) => Effect.Effect<void>
}

export class DeliveryChanges extends Context.Service<DeliveryChanges, Service>()(
  "@watchword/send/internal/DeliveryChanges"
) {}

/** No changes: no subscriber hears of a delivery. */
export const none: Service = {
  subscribe: () => Effect.void,
  onReturned: () => Effect.void,
  onSandbox: () => () => {},
  onChange: () => Effect.void,
  onEvents: () => Effect.void,
  closedLater: () => Effect.void
}
