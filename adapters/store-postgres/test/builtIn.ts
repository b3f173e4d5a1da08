/**
 * The store for the channels that come with Watchword.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { PostgresStore, postgres as open } from "@watchword/store-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const layer = (options: PostgresStore.Options) =>
  Layer.provide(PostgresStore.layer(options), ChannelRegistry.layerBuiltIn)

export const make = (options: PostgresStore.Options) =>
  Effect.provide(PostgresStore.make(options), ChannelRegistry.layerBuiltIn)

export const snapshots = (options: Parameters<typeof PostgresStore.snapshots>[0]) =>
  Layer.provide(PostgresStore.snapshots(options), ChannelRegistry.layerBuiltIn)

export const postgres = (...given: Parameters<typeof open>) =>
  Layer.provide(open(...given), ChannelRegistry.layerBuiltIn)
