/**
 * The store for the channels that come with Watchword.
 */
import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import { SqliteStore, sqlite as open } from "@watchword/store-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const layer = (options: SqliteStore.Options) =>
  Layer.provide(SqliteStore.layer(options), ChannelRegistry.layerBuiltIn)

export const make = (options: SqliteStore.Options) =>
  Effect.provide(SqliteStore.make(options), ChannelRegistry.layerBuiltIn)

export const over = (...given: Parameters<typeof SqliteStore.over>) =>
  Effect.provide(SqliteStore.over(...given), ChannelRegistry.layerBuiltIn)

export const snapshots = (filename: string) =>
  Layer.provide(SqliteStore.snapshots(filename), ChannelRegistry.layerBuiltIn)

export const sqlite = (...given: Parameters<typeof open>) => Layer.provide(open(...given), ChannelRegistry.layerBuiltIn)
