/**
 * The watchers of a service: each delivery is watched by the endpoints that want events of its kind, as they are when it is
 * opened.
 */
import type { Product } from "@watchword/schemas/Channel"
import { type EventType, eventTypes } from "@watchword/schemas/Event"
import type { AccountId } from "@watchword/schemas/Ids"
import { type Service, Watchers } from "@watchword/send/Watchers"
import { Settings } from "@watchword/settings/Settings"
import type { Watch } from "@watchword/store/Event"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { wants } from "./Endpoint.ts"
import { Endpoints, type Wanted } from "./Endpoints.ts"
import { lowBalance } from "./LowBalance.ts"

export const make: Effect.Effect<Service, never, Endpoints | Settings> = Effect.gen(function* () {
  const endpoints = yield* Endpoints
  const settings = yield* Settings

  const balanceLow = Effect.fnUntraced(function* (
    account: AccountId,
    told: ReadonlyArray<string>
  ): Effect.fn.Return<Pick<Watch, "balanceLow">, StoreError> {
    if (told.length === 0) return {}
    const own = yield* settings.get(account, lowBalance)
    const threshold = Option.isSome(own) ? own : yield* settings.get(null, lowBalance)
    return Option.isNone(threshold) ? {} : { balanceLow: { threshold: threshold.value, endpoints: told } }
  })

  const watch: Service["watch"] = Effect.fnUntraced(function* ({ account, channel, mode }) {
    const all = yield* endpoints.of(account)
    if (all.length === 0) return null
    const watching = those(all, typesOf(channel))
    // Sends of the sandbox cost nothing.
    const low = mode === "live" ? yield* balanceLow(account, those(all, ["balance.low"])) : {}
    return watching.length === 0 && low.balanceLow === undefined ? null : { endpoints: watching, ...low }
  })

  return { watch }
})

/** Has a service watch deliveries. */
export const layer: Layer.Layer<never, never, Endpoints | Settings> = Layer.effect(Watchers, make)

/** The ids of the endpoints that want any of some types. */
const those = (all: ReadonlyArray<Wanted>, types: ReadonlyArray<EventType>): ReadonlyArray<string> =>
  all.filter(([, patterns]) => types.some((type) => wants(patterns, type))).map(([id]) => id)

/** The types of events that changes of a product's deliveries can be. */
const typesOf = (product: Product): ReadonlyArray<EventType> =>
  product === "verify"
    ? eventTypes.filter((type) => type.startsWith("verification.") || type === "guard.tripped")
    : ["delivery.updated", "guard.tripped", ...(product === "call" ? (["call.ended"] as const) : [])]
