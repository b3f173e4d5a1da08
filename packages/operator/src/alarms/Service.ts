/**
 * The alarms of a running program, as its command and its maintenance know them.
 */
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Destination } from "./Destinations.ts"

/** The answer of a destination to a test. */
export interface Tried {
  readonly destination: Destination["name"]
  readonly taken: boolean
  readonly answer: string
}

export interface Service {
  /** One look, and the notices that are due, unless another process has looked within the minute. */
  readonly run: Effect.Effect<void, StoreError>
  /** Sends a test to each destination. */
  readonly test: Effect.Effect<ReadonlyArray<Tried>>
}

/** The alarms of a program; null if it has no destination for them. */
export const Alarms = Context.Reference<Service | null>("watchword/Alarms", { defaultValue: () => null })
