/**
 * The store that the settings name. Its modules are loaded only when it is named.
 */
import type { ChannelRegistry } from "@watchword/schemas/ChannelRegistry"
import type { Migrator } from "@watchword/store/Migrator"
import type { Snapshots } from "@watchword/store/Snapshots"
import type { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Database } from "./settings/DatabaseSettings.ts"

export const layer = (database: Database): Layer.Layer<Store, StoreError, ChannelRegistry> =>
  Layer.unwrap(Effect.promise(() => load(database)))

const load = async (database: Database): Promise<Layer.Layer<Store, StoreError, ChannelRegistry>> => {
  if (database._tag === "Sqlite") return (await import("@watchword/store-sqlite")).sqlite(database.file)
  const { connections, direct, schema, url } = database
  const { postgres } = await import("@watchword/store-postgres")
  return postgres(url, { schema, connections, ...(Option.isSome(direct) ? { direct: direct.value } : {}) })
}

/** Snapshots of a database that has a store. */
export const snapshots = (database: Database): Layer.Layer<Snapshots, StoreError, ChannelRegistry> =>
  Layer.unwrap(Effect.promise(() => loadSnapshots(database)))

const loadSnapshots = async (database: Database): Promise<Layer.Layer<Snapshots, StoreError, ChannelRegistry>> => {
  if (database._tag === "Sqlite") return (await import("@watchword/store-sqlite")).SqliteStore.snapshots(database.file)
  return (await import("@watchword/store-postgres")).PostgresStore.snapshots(database)
}

/** The hosts of a database that has several, in a sentence; null for one. */
export const hosts = (database: Database): Effect.Effect<string | null, StoreError> =>
  database._tag === "Sqlite"
    ? Effect.succeed(null)
    : Effect.flatMap(
        Effect.promise(() => import("@watchword/store-postgres")),
        ({ PostgresStore }) =>
          Effect.map(PostgresStore.roles(database), (all) =>
            all.length === 0
              ? null
              : `${all.map(({ name, role, why }) => `${name} is ${ROLES[role]}${why && ` (${why})`}`).join(", ")}.`
          )
      )

const ROLES = {
  primary: "the primary",
  "former primary": "a former primary that keeps running, whose writes are lost",
  standby: "a standby",
  unreachable: "unreachable"
} as const

/** The migrations of a database. */
export const migrator = (database: Database): Migrator => {
  const loaded = Effect.promise(() => loadMigrator(database))
  return {
    status: Effect.flatMap(loaded, ({ status }) => status),
    migrate: Effect.flatMap(loaded, ({ migrate }) => migrate)
  }
}

const loadMigrator = async (database: Database): Promise<Migrator> => {
  if (database._tag === "Sqlite") return (await import("@watchword/store-sqlite")).SqliteStore.migrator(database.file)
  return (await import("@watchword/store-postgres")).PostgresStore.migrator(database)
}
