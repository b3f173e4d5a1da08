/**
 * That this process lives, told to the store: what it has begun is then nobody else's to bring to an end.
 * Where nothing may run by itself it is not told.
 */
import { type ProcessId, nextProcessId } from "@watchword/schemas/Ids"
import { ByItself } from "./Background.ts"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"

export interface Service {
  /** The owner of everything that this process opens. */
  readonly process: ProcessId
}

export class Presence extends Context.Service<Presence, Service>()("@watchword/send/Presence") {}

/** In milliseconds: how long a process counts as alive after its last word. */
const LEASE = 15_000
const SAID_EVERY = "5 seconds"

export const make: Effect.Effect<Service, StoreError, Store | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const process = nextProcessId(yield* Clock.currentTimeMillis)

  const say = Effect.fnUntraced(function* (lease: number) {
    const at = yield* Clock.currentTimeMillis
    yield* store.renewLease({ process, at, until: at + lease })
  })

  if (!(yield* ByItself)) return Presence.of({ process })
  yield* Effect.acquireRelease(say(LEASE), () => Effect.ignore(say(0)))
  yield* say(LEASE).pipe(
    Effect.catchCause((cause) => Effect.logWarning("the store does not hear that this process lives", cause)),
    Effect.schedule(Schedule.spaced(SAID_EVERY)),
    Effect.forkScoped
  )
  return Presence.of({ process })
})

/** Lives as long as the layer. */
export const layer: Layer.Layer<Presence, StoreError, Store> = Layer.effect(Presence, make)
