/**
 * The channels of a running service.
 */
import type { GatewayHealth } from "../internal/gateway/GatewayHealth.ts"
import * as ChannelRegistry from "@watchword/schemas/internal/ChannelRegistry"
import type { Status } from "@watchword/store/Delivery"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Channel, Requirements, Started } from "./Channel.ts"
import type { Operations } from "./Operation.ts"
import { Siblings } from "../internal/channel/Siblings.ts"

/** Any channel, whose gateway may fail to open with `E`. */
export type Any<E = never> = Channel<string, Operations, unknown, E>

export interface Running extends Started {
  readonly channel: Any<unknown>
}

export class Channels extends Context.Service<Channels, ReadonlyArray<Running>>()("@watchword/send/channel/Channels") {}

/** Starts channels. Each closes on its own, its gateway last, while the others close too. */
export const layer = <E>(channels: ReadonlyArray<Any<E>>): Layer.Layer<Channels, E | StoreError, Requirements> =>
  Layer.effect(
    Channels,
    Effect.gen(function* () {
      const all = yield* Scope.fork(yield* Effect.scope, "parallel")
      const siblings = yield* Deferred.make<ReadonlyArray<Running>>()
      const start = Effect.fnUntraced(function* (channel: Any<E>) {
        const started = yield* Scope.provide(channel.start, yield* Scope.fork(all))
        return { ...started, channel }
      })
      const running = yield* Effect.forEach(channels, start, { concurrency: "unbounded" }).pipe(
        Effect.provideService(Siblings, Deferred.await(siblings))
      )
      yield* Deferred.succeed(siblings, running)
      return running
    })
  )

/** Has requests answered that wait for something to come. */
export const drain = (channels: ReadonlyArray<Pick<Running, "drain">>): Effect.Effect<void> =>
  Effect.forEach(channels, (channel) => channel.drain, { discard: true })

/** The registry of some channels, for stores and keys. */
export const registry = (channels: ReadonlyArray<ChannelRegistry.ChannelEntry>): Layer.Layer<never> =>
  Layer.succeed(ChannelRegistry.ChannelRegistry, ChannelRegistry.make(channels))

/** The status of a record that is given up, by product. */
export const failedStatuses = (channels: ReadonlyArray<Any<unknown>>): Readonly<Record<string, Status>> =>
  Object.fromEntries(channels.flatMap(({ products }) => products.map(({ failed, name }) => [name, failed])))

/** The connections of one channel's gateway, named `sms:carrier`. */
export const healthOf = ({
  channel,
  health
}: Pick<Running, "channel" | "health">): Effect.Effect<ReadonlyArray<GatewayHealth>> =>
  Effect.map(health, (all) => all.map((each) => ({ ...each, name: `${channel.name}:${each.name}` })))
