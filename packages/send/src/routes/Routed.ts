/**
 * A gateway with the ways of its sends: where it is composed of carriers, each send has one by the settings of its
 * account and by what became of the sends before. A channel routes its live gateway once, when it starts.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Principal } from "@watchword/schemas/Account"
import type { Delivery } from "@watchword/store/Delivery"
import { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Scope } from "effect/Scope"
import type { Arrival } from "../internal/channel/Codes.ts"
import * as CarrierStates from "./CarrierStates.ts"
import * as Conversions from "./Conversions.ts"
import { Quality } from "./Quality.ts"
import * as RouteSettings from "./RouteSettings.ts"
import * as RouteTable from "./RouteTable.ts"
import * as SharedFigures from "./SharedFigures.ts"
import type { Routing } from "./Routing.ts"
import type { Sending, Way } from "./Way.ts"

/** The parts of a gateway that are about its carriers. */
export interface Routable {
  /** The choice among carriers, of a gateway that is composed of several; left out by others. */
  readonly routing?: Routing
  /** The way of a send, of a gateway that is routed. */
  readonly way?: WayOf
}

export type WayOf = (sending: Sending) => Effect.Effect<Way, StoreError>

interface OfAccount {
  readonly own: RouteTable.RouteTable | null
  readonly drains: ReadonlyMap<string, number | null>
}

/**
 * Routes a gateway that is composed of carriers, and leaves any other as it is.
 *
 * @param arrival says of a record of the channel whether its message has arrived
 */
export const routed =
  (channel: Product, arrival: (delivery: Delivery) => Arrival | null) =>
  <G extends Routable>(gateway: G): Effect.Effect<G, never, Scope | Settings | Store> => {
    const { routing } = gateway
    if (routing === undefined) return Effect.succeed(gateway)
    return Effect.map(waysOf(channel, routing, arrival), (way) => ({ ...gateway, way }))
  }

const waysOf = Effect.fnUntraced(function* (
  channel: Product,
  routing: Routing,
  arrival: (delivery: Delivery) => Arrival | null
): Effect.fn.Return<WayOf, never, Scope | Settings | Store> {
  const settings = yield* Settings
  const store = yield* Store
  const { figures, sent: taken } = yield* Conversions.make(channel, arrival)
  const quality = new Quality(figures, Math.random, yield* SharedFigures.make(channel))
  yield* CarrierStates.keep(channel, routing, figures)

  const profile = settings.profile<OfAccount>((own, common) =>
    Result.gen(function* () {
      const routes = yield* own.get(RouteSettings.routes)
      const tables =
        routes === undefined ? null : yield* Result.mapError(RouteTable.read(routes, null, null), unreadable)
      return { own: tables?.get(channel) ?? null, drains: yield* common.all(RouteSettings.drains) }
    })
  )

  const carriersOf = Effect.fnUntraced(function* ({ account, mode }: Principal, sends: ReadonlyArray<DeliveryId>) {
    const used = new Set<string>()
    for (const id of sends) {
      const found = yield* store.find({ account: account.id, mode, channel, id })
      const carrier = Option.getOrUndefined(found)?.details["carrier"]
      if (typeof carrier === "string") used.add(carrier)
    }
    return used
  })

  return Effect.fnUntraced(function* ({ keys, principal, to }: Sending) {
    const now = yield* Clock.currentTimeMillis
    const { drains, own } = yield* profile(principal.account.id, now)
    const drained = new Set([...drains].flatMap(([name, until]) => (until === null || now < until ? [name] : [])))
    const { earlier = [], notBy = [] } = keys.origin ?? {}
    const used = earlier.length === 0 ? none : yield* carriersOf(principal, earlier)
    const excluded = notBy.length === 0 ? none : yield* carriersOf(principal, notBy)
    return { ...(yield* routing.way({ to, own, drained, used, excluded, quality })), taken }
  })
})

const none: ReadonlySet<string> = new Set()

const unreadable = (): StoreError =>
  new StoreError({ reason: "Unavailable", message: "The routes of an account cannot be read." })
