/**
 * Facts about this program for the operator's overview: its version, and the migrations of its database.
 */
import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Program } from "@watchword/operator/Installation"
import type { Database } from "./settings/DatabaseSettings.ts"
import * as Storage from "./Storage.ts"

export const version: string = JSON.parse(readFileSync(findPackageJSON("..", import.meta.url) ?? "", "utf8")).version

/** The database is asked at most once a minute, on a connection of its own. */
export const layer = (database: Database): Layer.Layer<never> =>
  Layer.effect(
    Program,
    Effect.map(Effect.cachedWithTTL(Storage.migrator(database).status, "1 minute"), (migrations) => ({
      version,
      migrations
    }))
  )
