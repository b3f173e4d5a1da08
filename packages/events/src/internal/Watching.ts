/**
 * The watchers of a service: each delivery is watched by the endpoints that want events of its kind, as they are when
 * it is opened.
 */
import type { Mode, Product } from "@watchword/schemas/Channel"
import { Watchers, type WatchersService } from "@watchword/send/pipeline"
import { type Derive, Settings } from "@watchword/store/Settings"
import type { Watch } from "@watchword/store/Event"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { wants } from "./Endpoint.ts"
import { Descriptions, typesOf } from "./Described.ts"
import { Endpoints, type Wanted } from "./Endpoints.ts"
import { Handlers } from "./Handlers.ts"
import { lowBalance } from "./LowBalance.ts"

/** The cached watchers of an account. */
interface Known {
  readonly all: ReadonlyArray<Wanted>
  /** The part of watches of live sends: sandbox sends cost nothing. */
  readonly low: Pick<Watch, "balanceLow">
  readonly typesOf: (product: Product) => ReadonlyArray<string>
  /** The watches of deliveries that were opened. */
  readonly made: Readonly<Record<Mode, Map<Product, Watch | null>>>
}

export const make: Effect.Effect<WatchersService, never, Endpoints | Handlers | Settings> = Effect.gen(function* () {
  const endpoints = yield* Endpoints
  const handlers = yield* Handlers
  const settings = yield* Settings
  const descriptions = yield* Descriptions

  const derive: Derive<Known> = (own, common, at) =>
    Result.gen(function* () {
      const all = yield* endpoints.wanted(own, common, at)
      const learning = those(all, ["balance.low"])
      const threshold =
        learning.length === 0 ? undefined : ((yield* own.get(lowBalance)) ?? (yield* common.get(lowBalance)))
      const low = threshold === undefined ? {} : { balanceLow: { threshold, endpoints: learning } }
      return {
        all,
        low,
        typesOf: (product) => typesOf(descriptions, product),
        made: { live: new Map(), sandbox: new Map() }
      }
    })

  let profile = settings.profile(derive)
  let revision = handlers.revision()

  /** A handler of this process counts from its first moment on. */
  const profiles = () => {
    if (revision !== handlers.revision()) profile = settings.profile(derive)
    revision = handlers.revision()
    return profile
  }

  const watch: WatchersService["watch"] = ({ account, channel, mode }, now) =>
    Effect.mapEager(profiles()(account, now), (known) => watchIn(known, mode, channel))

  return { watch }
})

/** Has a service watch deliveries. */
export const layer: Layer.Layer<Watchers, never, Endpoints | Handlers | Settings> = Layer.effect(Watchers, make)

const watchIn = ({ all, low, made, typesOf }: Known, mode: Mode, product: Product): Watch | null => {
  if (all.length === 0) return null
  const before = made[mode].get(product)
  if (before !== undefined) return before
  const watch = { endpoints: those(all, typesOf(product)), ...(mode === "live" ? low : {}) }
  const watched = watch.endpoints.length === 0 && watch.balanceLow === undefined ? null : watch
  made[mode].set(product, watched)
  return watched
}

/** The ids of the endpoints that want any of some types. */
const those = (all: ReadonlyArray<Wanted>, types: ReadonlyArray<string>): ReadonlyArray<string> =>
  all.filter(([, patterns]) => types.some((type) => wants(patterns, type))).map(([id]) => id)
