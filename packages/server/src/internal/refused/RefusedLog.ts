/**
 * The log of refused requests: each process notes its refusals and failures, and writes them about once a second.
 *
 * A request waits for nothing, and a request that succeeds costs a comparison. A process that is killed loses the last
 * second of its notes.
 */
import { BackgroundAllowed, keepJob, waitUntilUnsafe } from "@watchword/send/pipeline"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import type { ApiRequest } from "../../http/ApiRequest.ts"
import type { Clients } from "../../http/Clients.ts"
import { kindOf, ownOf } from "./Facts.ts"
import * as Noted from "./Noted.ts"

export interface Service {
  /** Notes the answer to a request, if it is a refusal or a failure. */
  readonly note: (request: ApiRequest, status: number, clients: Clients) => void
  /** Writes what this process has noted. */
  readonly flush: Effect.Effect<void, StoreError>
}

/** The log that a service has; without a layer nothing is kept. */
export const RefusedLog = Context.Reference<Service>("@watchword/server/internal/refused/RefusedLog", {
  defaultValue: () => ({ note: () => {}, flush: Effect.void })
})

/** How many rows one step of the store adds. */
const BATCH = 500

/** Milliseconds between two writes where services may not work without a request. */
const EVERY = 1_000

const make: Effect.Effect<Service, never, Scope | Store> = Effect.gen(function* () {
  const store = yield* Store
  const clock = yield* Clock.Clock
  const isBackground = yield* BackgroundAllowed
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const noted = Noted.make()
  let flushedAt = Number.NEGATIVE_INFINITY

  const flush = Effect.gen(function* () {
    flushedAt = clock.currentTimeMillisUnsafe()
    const rows = noted.take()
    for (let from = 0; from < rows.length; from += BATCH) {
      yield* Effect.tapError(store.addRefused(rows.slice(from, from + BATCH)), () =>
        // Rows that have been written after all stay as they are.
        Effect.sync(() => noted.restore(rows.slice(from), clock.currentTimeMillisUnsafe()))
      )
    }
  })

  const inRequest = Effect.catchCause(flush, (cause) => Effect.logWarning("refused requests could not be kept", cause))

  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(Effect.interruptible(flush), "5 seconds")))
  yield* keepJob("refused requests", Effect.uninterruptible(flush))
  return {
    flush,
    note: (request, status, clients) => {
      if (status < 400) return
      const kind = kindOf(request, status)
      if (kind === null) return
      const at = clock.currentTimeMillisUnsafe()
      noted.note(kind, at, () => ownOf(request, clients))
      // Strangers cause no writes: their requests are written with an account's, or by the maintenance.
      if (!isBackground && kind.account !== null && at - flushedAt >= EVERY) {
        flushedAt = at
        waitUntilUnsafe(run(inRequest))
      }
    }
  }
})

/** Notes as long as it lives. */
export const layer: Layer.Layer<never, never, Store> = Layer.effect(RefusedLog, make)
