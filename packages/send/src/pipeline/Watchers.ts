/**
 * The port of watchers: it says which endpoints learn of a delivery that is about to be opened. The store writes their
 * events in the steps of the delivery, see `@watchword/store/Event`.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { AccountId } from "@watchword/schemas/Ids"
import type { Watch } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** A delivery that is about to be opened. */
export interface Asked {
  readonly account: AccountId
  readonly mode: Mode
  readonly channel: Product
}

export interface Service {
  /**
   * The endpoints that learn of a delivery; null for none. Asked once for each send: a value in memory is an `Exit`.
   * Where it fails, so does the send, because the endpoints of a delivery that was opened without them would never hear
   * of it.
   *
   * @param now milliseconds since the epoch
   */
  readonly watch: (asked: Asked, now: number) => Effect.Effect<Watch | null, StoreError>
}

/** The watchers of the service; null if nothing is watched. */
export class Watchers extends Context.Service<Watchers, Service | null>()("@watchword/send/pipeline/Watchers") {}
