/**
 * Steps of this process that the store has taken, and what services run after each: the filters below name all of it.
 *
 * `ObservedStore` announces a step before the step is answered, and again when the step is repeated; not what other
 * processes store. A listener that must miss nothing looks into the store as well. Listeners are called in the order in
 * which they came: a service after its dependencies.
 */
import type { Delivery } from "@watchword/store/Delivery"
import type { Before, Closed, Follow } from "@watchword/store/Store"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"

/** A delivery after a step that was about it. */
export interface DeliveryChange {
  /**
   * `left` follows a `close` that the request of the send did not make itself: that is over, or its process is dead.
   */
  readonly step: "open" | "close" | "report" | "left"
  /** Its state before the step; null for an `open`, and for `left`. */
  readonly before: Before | null
  readonly delivery: Delivery
  /** Whether the step has changed it: a repeat has not. */
  readonly hasMoved: boolean
  /** Whether the step may have written events. */
  readonly isNews: boolean
  /** Whether its whole has followed it in the same step. */
  readonly isFollowed: boolean
}

/** Events that were written, or are to be sent again, without a step of a delivery. */
export interface EventsChange {
  readonly step: "events"
  readonly isNews: true
}

export type Change = DeliveryChange | EventsChange

/** The dispatcher of events sends due events. */
export const isNews = (change: Change): change is Change => change.isNews

/** Guards take a price that has come back out of their limits of money, then and at each later report that moves it. */
export const isReturned = (change: Change): change is DeliveryChange =>
  (change.step === "close" || change.step === "report") &&
  change.hasMoved &&
  (change.delivery.phase === "rejected" || change.delivery.phase === "refunded")

/** Verifications take their next steps by what became of a send, and routes count which messages arrive. */
export const isReported = (change: Change): change is DeliveryChange =>
  change.step === "report" || change.step === "left"

/** The roll-up of the traffic counts a delivery from its end, in the step that opens it or in a later one. */
export const isCounted = (change: Change): change is DeliveryChange =>
  change.step === "open"
    ? change.hasMoved && change.delivery.phase !== "pending"
    : change.step === "close" || change.step === "report"

/** Feeds of the sandbox read again. */
export const isOfSandbox = (change: Change): change is DeliveryChange =>
  change.step !== "events" && change.delivery.mode === "sandbox"

export interface Service {
  /**
   * Calls a function with each change that a filter lets through, until the scope closes. The function must not take
   * long. The returned effect runs in the fiber of the step, which waits for it, and may fail without harm: a listener
   * forks slow work.
   */
  readonly onChange: <C extends Change>(
    filter: (change: Change) => change is C,
    hear: (change: C) => Effect.Effect<void>
  ) => Effect.Effect<void, never, Scope>

  /**
   * Makes wholes follow their parts by a rule, in the steps of this process, until the scope closes. The change of the
   * whole is announced after the change of the part. There is one rule at a time.
   */
  readonly follow: (rule: Follow) => Effect.Effect<void, never, Scope>

  /** Announces a delivery that a `close` has ended as `left`. */
  readonly closedLater: (closed: Closed) => Effect.Effect<void>
}

export class DeliveryChanges extends Context.Service<DeliveryChanges, Service>()(
  "@watchword/send/pipeline/DeliveryChanges"
) {}

/** No changes: no listener hears of a step. */
export const none: Service = {
  onChange: () => Effect.void,
  follow: () => Effect.void,
  closedLater: () => Effect.void
}
