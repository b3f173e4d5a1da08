/**
 * Periodic maintenance: seals settings, ends calls of dead processes, reconciles sends, sweeps expired rows and old
 * records, adds up traffic, writes refused requests, sends alarms and events.
 */
import { Features } from "@watchword/send/channel/Features"
import { Dispatcher } from "@watchword/events/Events"
import { BackgroundAllowed, Reconciler } from "@watchword/send/pipeline"
import { RefusedLog } from "@watchword/server/Server"
import { Alarms, Retention, Rollup } from "@watchword/operator/jobs"
import { RequestsMayWait } from "@watchword/store/Settings"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SealedSettings } from "./Sealed.ts"

export interface Service {
  /**
   * One pass. Safe to run at any time and in several processes at once; a service with background work runs the same by
   * itself.
   */
  readonly run: Effect.Effect<void, StoreError>
}

export class Maintenance extends Context.Service<Maintenance, Service>()("watchword/Maintenance") {}

export const layer: Layer.Layer<
  Maintenance,
  never,
  Features | Dispatcher | Reconciler | Retention | Rollup | SealedSettings
> = Layer.effect(
  Maintenance,
  Effect.gen(function* () {
    const features = yield* Features
    const reconciler = yield* Reconciler
    const retention = yield* Retention
    const dispatcher = yield* Dispatcher
    const rollup = yield* Rollup
    const refused = yield* RefusedLog
    const sealed = yield* SealedSettings
    const alarms = yield* Alarms
    const maintained = Effect.forEach(features, ({ maintain }) => maintain, { discard: true })
    const swept = Effect.andThen(
      sealed.run,
      Effect.andThen(reconciler.run, Effect.andThen(retention.run, Effect.andThen(rollup.flush, refused.flush)))
    )
    const sent = Effect.andThen(alarms?.run ?? Effect.void, dispatcher.pass)
    return Maintenance.of({ run: Effect.andThen(maintained, Effect.andThen(swept, sent)) })
  })
)

/** Keeps services from background work, and requests from waiting for one another. */
export const onlyOnRequest: Layer.Layer<never> = Layer.merge(
  Layer.succeed(BackgroundAllowed, false),
  Layer.succeed(RequestsMayWait, false)
)
