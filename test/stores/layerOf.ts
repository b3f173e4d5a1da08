import * as ChannelRegistry from "@watchword/schemas/ChannelRegistry"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import { PostgresStore } from "@watchword/store-postgres"
import { sqlite } from "@watchword/store-sqlite"
import * as Layer from "effect/Layer"

/** The store at an address: `postgres://…#SCHEMA`, or the name of an SQLite file. */
export const layerOf = (address: string): Layer.Layer<Store, StoreError> =>
  Layer.provide(openedAt(address), ChannelRegistry.layerBuiltIn)

const openedAt = (address: string) => {
  if (!address.startsWith("postgres")) return sqlite(address)
  const [url = "", schema = ""] = address.split("#")
  return PostgresStore.layer({ url, schema })
}
