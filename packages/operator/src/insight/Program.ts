/**
 * Facts about the running program that only its host knows.
 */
import type { Status } from "@watchword/store/Migrator"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface Facts {
  /** The version of the program; null if its host does not say. */
  readonly version: string | null
  /** The migrations of its database; null for a store without any. */
  readonly migrations: Effect.Effect<Pick<Status, "database" | "program"> | null, StoreError>
}

export const Program = Context.Reference<Facts>("watchword/internal/Program", {
  defaultValue: () => ({ version: null, migrations: Effect.succeed(null) })
})
