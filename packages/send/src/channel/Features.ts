/**
 * The features of a running service, its channels among them.
 */
import * as ChannelRegistry from "@watchword/schemas/internal/ChannelRegistry"
import type { Status } from "@watchword/store/Delivery"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { GatewayHealth } from "../internal/gateway/GatewayHealth.ts"
import type { Feature, Requirements, Started } from "../internal/channel/Feature.ts"
import type { Operations } from "./Operation.ts"

/** Any feature, whose gateway may fail to open with `E`. */
export type Any<E = never> = Feature<string, Operations, unknown, E, Requirements | Channels>

export interface Running extends Started {
  readonly feature: Any<unknown>
}

export class Features extends Context.Service<Features, ReadonlyArray<Running>>()("@watchword/send/channel/Features") {}

/** Those with a gateway, for features that work by them. */
export class Channels extends Context.Service<Channels, ReadonlyArray<Running>>()(
  "@watchword/send/channel/Features/Channels"
) {}

/**
 * Starts features: the channels, then what works by them. Each closes on its own, its gateway last, while the others close too.
 */
export const layer = <E>(features: ReadonlyArray<Any<E>>): Layer.Layer<Features, E | StoreError, Requirements> =>
  Layer.effect(
    Features,
    Effect.gen(function* () {
      const all = yield* Scope.fork(yield* Effect.scope, "parallel")
      const started = Effect.fnUntraced(function* (feature: Any<E>) {
        const running = yield* Scope.provide(feature.start, yield* Scope.fork(all))
        return { ...running, feature }
      })
      const start = (those: ReadonlyArray<Any<E>>) => Effect.forEach(those, started, { concurrency: "unbounded" })
      const channels = yield* Effect.provideService(start(features.filter(isChannel)), Channels, [])
      const others = yield* Effect.provideService(
        start(features.filter((feature) => !isChannel(feature))),
        Channels,
        channels
      )
      // In their given order, which documents and routes keep.
      const byName = new Map([...channels, ...others].map((running) => [running.feature.name, running]))
      return features.flatMap(({ name }) => byName.get(name) ?? [])
    })
  )

const isChannel = ({ gateway }: Any<unknown>): boolean => gateway !== null

/** Has requests answered that wait for something to come. */
export const drain = (features: ReadonlyArray<Pick<Running, "drain">>): Effect.Effect<void> =>
  Effect.forEach(features, (running) => running.drain, { discard: true })

/** The registry of some features, for stores and keys. */
export const registry = (features: ReadonlyArray<ChannelRegistry.ChannelEntry>): Layer.Layer<never> =>
  Layer.succeed(ChannelRegistry.ChannelRegistry, ChannelRegistry.make(features))

/** The status of a record that is given up, by product. */
export const failedStatuses = (features: ReadonlyArray<Any<unknown>>): Readonly<Record<string, Status>> =>
  Object.fromEntries(features.flatMap(({ products }) => products.map(({ failed, name }) => [name, failed])))

/** The connections of one channel's gateway, named `sms:carrier`. */
export const healthOf = ({
  feature,
  health
}: Pick<Running, "feature" | "health">): Effect.Effect<ReadonlyArray<GatewayHealth>> =>
  Effect.map(health, (all) => all.map((each) => ({ ...each, name: `${feature.name}:${each.name}` })))
