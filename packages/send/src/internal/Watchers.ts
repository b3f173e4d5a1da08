/**
 * The port of watchers: it says which endpoints learn of a delivery that is about to be opened. The store writes their events
 * in the steps of the delivery, see `@watchword/store/Event`.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import type { AccountId } from "@watchword/schemas/Ids"
import type { Open, Watch } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** A delivery that is about to be opened. */
export interface Asked {
  readonly account: AccountId
  readonly mode: Mode
  readonly channel: Product
}

export interface Service {
  /**
   * The endpoints that learn of a delivery; null for none. Asked once for each send: it answers at once what is in memory.
   * Where it fails, so does the send, because the endpoints of a delivery that was opened without them would never hear of it.
   *
   * @param now milliseconds since the epoch
   */
  readonly watch: (asked: Asked, now: number) => Watch | null | Effect.Effect<Watch | null, StoreError>
}

/** The watchers; null where nothing is watched. Read when a service is made. */
export const Watchers = Context.Reference<Service | null>("@watchword/send/internal/Watchers", {
  defaultValue: () => null
})

/** The watch of an open, as a part of the request. */
export const watchOf = (
  watchers: Service | null,
  asked: Asked,
  now: number
): Part | Effect.Effect<Part, StoreError> => {
  const watch = watchers === null ? null : watchers.watch(asked, now)
  return Effect.isEffect(watch) ? Effect.map(watch, partOf) : partOf(watch)
}

type Part = Pick<Open, "watch">

const unwatched: Part = {}

const partOf = (watch: Watch | null): Part => (watch === null ? unwatched : { watch })
