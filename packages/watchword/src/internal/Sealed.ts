/**
 * Keeps settings sealed under the secret that an installation uses: when a secret is put first, settings sealed under
 * another one are sealed again, so that the previous secret can be removed after a day.
 */
import * as EndpointAdmin from "@watchword/events/EndpointAdmin"
import { BackgroundAllowed, type InstallationSecret, renewSeals } from "@watchword/send/pipeline"
import type { Settings } from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import { TestNumbers } from "@watchword/verify/operator"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"

export interface Service {
  /** Looks once in a process. Safe to run at any time and in several processes at once; says in the log what fails. */
  readonly run: Effect.Effect<void>
}

export class SealedSettings extends Context.Service<SealedSettings, Service>()("watchword/internal/SealedSettings") {}

const AGAIN_AFTER = "1 minute"

type Needs = InstallationSecret | Settings | Store

export const layer: Layer.Layer<SealedSettings, never, Needs> = Layer.effect(
  SealedSettings,
  Effect.gen(function* () {
    const context = yield* Effect.context<Needs>()
    let isDone = false

    const look = renewSeals(
      Effect.fnUntraced(function* (secret: string) {
        yield* EndpointAdmin.seal(null, secret)
        for (const { account } of yield* (yield* Store).accounts) {
          yield* EndpointAdmin.seal(account.id, secret)
          yield* TestNumbers.seal(account.id, secret)
        }
      })
    ).pipe(Effect.tap(Effect.sync(() => (isDone = true))), Effect.provideContext(context))

    const run = Effect.suspend(() => (isDone ? Effect.void : look)).pipe(
      Effect.catchCause((cause) => Effect.logError("settings could not be sealed; it is tried again", cause))
    )
    if (yield* BackgroundAllowed) {
      yield* run.pipe(Effect.repeat({ until: () => isDone, schedule: Schedule.spaced(AGAIN_AFTER) }), Effect.forkScoped)
    }
    return SealedSettings.of({ run })
  })
)
