/**
 * The ways of a channel's live sends among the carriers of its gateway: by the settings of their accounts, and by what became
 * of the sends before.
 */
import type { Product } from "@watchword/schemas/Channel"
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Principal } from "@watchword/schemas/Principal"
import type { Delivery } from "@watchword/store/Delivery"
import { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Scope } from "effect/Scope"
import type { RequestKeys } from "../../Claims.ts"
import type { Arrival } from "../channel/Codes.ts"
import * as CarrierStates from "./CarrierStates.ts"
import * as Conversions from "./Conversions.ts"
import { Quality } from "./Quality.ts"
import * as RouteSettings from "./RouteSettings.ts"
import * as RouteTable from "./RouteTable.ts"
import * as SharedFigures from "./SharedFigures.ts"
import type { Routing, Way } from "./Routing.ts"

/** The ways of a gateway that is composed of carriers. */
export interface Ways {
  /** The way of a send. `keys` lead to the earlier sends of the same code. */
  readonly of: (principal: Principal, to: E164, keys: RequestKeys) => Effect.Effect<Way, StoreError>
  /** A carrier has taken a message. */
  readonly sent: (delivery: Delivery) => void
}

interface OfAccount {
  readonly own: RouteTable.RouteTable | null
  readonly drains: ReadonlyMap<string, number | null>
}

/**
 * Null for a gateway that is not composed of carriers.
 *
 * @param arrival says of a record of the channel whether its message has arrived
 */
export const make = Effect.fnUntraced(function* (
  channel: Product,
  gateway: Option.Option<{ readonly routing?: Routing }>,
  arrival: (delivery: Delivery) => Arrival | null
): Effect.fn.Return<Ways | null, never, Scope | Settings | Store> {
  const routing = Option.getOrNull(gateway)?.routing
  return routing === undefined ? null : yield* over(channel, routing, arrival)
})

const over = Effect.fnUntraced(function* (
  channel: Product,
  routing: Routing,
  arrival: (delivery: Delivery) => Arrival | null
): Effect.fn.Return<Ways, never, Scope | Settings | Store> {
  const settings = yield* Settings
  const store = yield* Store
  const { figures, sent } = yield* Conversions.make(channel, arrival)
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

  const of = Effect.fnUntraced(function* (principal: Principal, to: E164, keys: RequestKeys) {
    const now = yield* Clock.currentTimeMillis
    const known = profile(principal.account.id, now)
    const { drains, own } = Effect.isEffect(known) ? yield* known : known
    const drained = new Set([...drains].flatMap(([name, until]) => (until === null || now < until ? [name] : [])))
    const { earlier = [], notBy = [] } = keys.origin ?? {}
    const used = earlier.length === 0 ? none : yield* carriersOf(principal, earlier)
    const excluded = notBy.length === 0 ? none : yield* carriersOf(principal, notBy)
    return yield* routing.way({ to, own, drained, used, excluded, quality })
  })

  return { of, sent }
})

const none: ReadonlySet<string> = new Set()

const unreadable = (): StoreError =>
  new StoreError({ reason: "Unavailable", message: "The routes of an account cannot be read." })
