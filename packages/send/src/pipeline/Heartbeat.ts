/**
 * Heartbeat of this process in the store: a lease that is renewed every few seconds.
 *
 * While the lease is valid, no other process reconciles the deliveries that this process has opened. Without
 * background work there is no lease, and the age of a delivery decides instead.
 */
import { type ProcessId, nextProcessId } from "@watchword/schemas/Ids"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { BackgroundAllowed } from "./Background.ts"
import * as Job from "./Job.ts"

export interface Service {
  /** The owner of every delivery that this process opens. */
  readonly process: ProcessId
}

export class Heartbeat extends Context.Service<Heartbeat, Service>()("@watchword/send/pipeline/Heartbeat") {}

/** How long a lease is valid, in milliseconds. */
const LEASE = 15_000

const make: Effect.Effect<Service, StoreError, Store | Scope> = Effect.gen(function* () {
  const store = yield* Store
  const process = nextProcessId(yield* Clock.currentTimeMillis)

  const renew = (duration: number) => store.renewLease({ process, duration })

  if (!(yield* BackgroundAllowed)) return Heartbeat.of({ process })
  yield* Effect.acquireRelease(renew(LEASE), () => Effect.ignore(renew(0)))
  yield* Job.keep("lease", renew(LEASE))
  return Heartbeat.of({ process })
})

/** Renews the lease as long as the layer lives. */
export const layer: Layer.Layer<Heartbeat, StoreError, Store> = Layer.effect(Heartbeat, make)
