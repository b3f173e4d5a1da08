/**
 * What has to be done now and then, whether or not anybody asks the service for something.
 */
import { Call } from "@watchword/call/Call"
import { BackgroundAllowed } from "@watchword/send/Background"
import { Reconciler } from "@watchword/send/Reconciler"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export interface Service {
  /**
   * Ends calls and sends that nobody is waiting for any more, and forgets what is no longer needed. Safe to run at
   * any time and in several processes at once; the service does the same by itself where it may.
   */
  readonly run: Effect.Effect<void, StoreError>
}

export class Maintenance extends Context.Service<Maintenance, Service>()("watchword/Maintenance") {}

export const layer: Layer.Layer<Maintenance, never, Call | Reconciler> = Layer.effect(
  Maintenance,
  Effect.gen(function* () {
    const call = yield* Call
    const reconciler = yield* Reconciler
    return Maintenance.of({ run: Effect.andThen(call.recover, reconciler.run) })
  })
)

/** Keeps services from working by themselves. */
export const onlyOnRequest: Layer.Layer<never> = Layer.succeed(BackgroundAllowed, false)
