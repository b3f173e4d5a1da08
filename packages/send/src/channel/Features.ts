/**
 * The features of a running service, its channels among them.
 */
import type { Status } from "@watchword/store/Delivery"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { GatewayHealth } from "../gateway/GatewayHealth.ts"
import { type Any, Channels, type Requirements, type Running } from "../internal/channel/Feature.ts"

export {
  type Any,
  Channels,
  type Description,
  type Endpoint,
  type Feature,
  type Group,
  type Product,
  type Requirements,
  type Running,
  type Service,
  type Started,
  make
} from "../internal/channel/Feature.ts"

/** The descriptions of a service's channels, for what reads their records: no gateway is needed for their words. */
export class Described extends Context.Service<Described, ReadonlyArray<Any<unknown>>>()(
  "@watchword/send/channel/Described"
) {}

export class Features extends Context.Service<Features, ReadonlyArray<Running>>()("@watchword/send/channel/Features") {}

/**
 * Starts features: the channels, then what works by them, one after the other. Each closes on its own, its gateway
 * last, while the others close too.
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
      const channels = Effect.forEach(features.filter(isChannel), started, { concurrency: "unbounded" })
      const before: Array<Running> = yield* Effect.provideService(channels, Channels, [])
      for (const feature of features.filter((each) => !isChannel(each))) {
        before.push(yield* Effect.provideService(started(feature), Channels, [...before]))
      }
      // In their given order, which documents and routes keep.
      const byName = new Map(before.map((running) => [running.feature.name, running]))
      return features.flatMap(({ name }) => byName.get(name) ?? [])
    })
  )

const isChannel = ({ gateway }: Any<unknown>): boolean => gateway !== null

/** Answers the requests that wait for news. */
export const drain = (features: ReadonlyArray<Pick<Running, "drain">>): Effect.Effect<void> =>
  Effect.forEach(features, (running) => running.drain, { discard: true })

/** The status of a record that is given up, by product. */
export const failedStatuses = (features: ReadonlyArray<Any<unknown>>): Readonly<Record<string, Status>> =>
  Object.fromEntries(features.flatMap(({ products }) => products.map(({ failed, name }) => [name, failed])))

/** The connections of one channel's gateway, named `sms:carrier`. */
export const healthOf = ({
  feature,
  health
}: Pick<Running, "feature" | "health">): Effect.Effect<ReadonlyArray<GatewayHealth>> =>
  Effect.map(health, (all) => all.map((each) => ({ ...each, name: `${feature.name}:${each.name}` })))

/** The names of the connections by which channels send. A sign-in's provider is not one: it costs nothing. */
export const gatewaysOf = (features: ReadonlyArray<Running>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(
    Effect.forEach(
      features.filter(({ feature }) => isChannel(feature)),
      healthOf
    ),
    (all) => all.flat().map(({ name }) => name)
  )
