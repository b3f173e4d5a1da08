/**
 * Where the sandbox sends of channels are played: each stage has a gateway, that of phones, the network that phones and
 * their people act on, and the events to make again after a crash.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { PhoneSettings } from "@watchword/schemas/SandboxPhone"
import type { Stage } from "@watchword/send/Send"
import type { Settings } from "@watchword/store/Settings"
import type { Delivery } from "@watchword/store/Delivery"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as CatchUp from "./CatchUp.ts"
import { type Network, finder, receptionOf } from "./Receptions.ts"

/** The networks of a service's stages, by product. */
export type Networks = ReadonlyMap<Product, Network>

/** The service's networks; null if it has no simulator. */
export const Networks = Context.Reference<Map<Product, Network> | null>("@watchword/sandbox/simulator/Networks", {
  defaultValue: () => null
})

/** The simulated parts of a channel. */
export interface Played<out G> {
  readonly product: Product
  readonly gateway: G
  /** The gateway of sends to a phone; left out by a channel that phones have no say in. */
  readonly onPhone?: (phone: PhoneSettings) => G
  /** What its network does for phones; left out where it does nothing. */
  readonly network?: Network
  /** The events that are made again after a crash; left out where none follow from a record. */
  readonly catchUp?: Omit<CatchUp.Options, "product" | "resume"> & {
    readonly resume: (delivery: Delivery) => Effect.Effect<void, StoreError>
  }
}

export const make = Effect.fnUntraced(function* <G>({
  catchUp,
  gateway,
  network,
  onPhone,
  product
}: Played<G>): Effect.fn.Return<Stage<G>, never, Settings | Store> {
  const store = yield* Store
  const phoneOf = yield* finder
  if (network !== undefined) (yield* Networks)?.set(product, network)
  return {
    gateway,
    onPhone: (account, to) =>
      Effect.mapEager(phoneOf(account, to), (phone) => (phone === null ? null : (onPhone?.(phone) ?? gateway))),
    isOnPhone: (delivery) => receptionOf(delivery) !== null,
    begin:
      catchUp === undefined
        ? Effect.succeed(Effect.void)
        : Effect.provideService(CatchUp.keep({ product, ...catchUp }), Store, store),
    resume: (delivery) => catchUp?.resume(delivery) ?? Effect.void
  }
})
