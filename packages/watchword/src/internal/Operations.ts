/**
 * Health and metrics of a service: its store, and the gateways of its channels.
 */
import { measureBacklog } from "@watchword/events/Events"
import * as Features from "@watchword/send/channel/Features"
import * as Operations from "@watchword/server/Server"
import { Store } from "@watchword/store/Store"
import type { StoreError } from "@watchword/store/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpRouter } from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as OpenSends from "./OpenSends.ts"

/** Answers `/healthz`, `/readyz` and `/metrics`, which are not under the base path. */
export class OperationsHandler extends Context.Service<OperationsHandler, Operations.Operations>()(
  "watchword/OperationsHandler"
) {}

export interface Options {
  readonly pages?: Pages
}

/** Pages on the router of the service; for programs written with Effect, a layer that adds its routes. */
export interface Pages extends Layer.Layer<never, never, HttpRouter> {}

export const layer = ({ pages }: Options): Layer.Layer<OperationsHandler, never, Features.Features | Store> =>
  Layer.effect(
    OperationsHandler,
    Effect.gen(function* () {
      const store = yield* Store
      const channels = yield* Features.Features
      const { drain, handle } = yield* Operations.make({
        store: store.ping,
        channels,
        measure: Effect.andThen(yield* rarely(OpenSends.measure(store)), yield* rarely(measureBacklog(store))),
        ...(pages === undefined ? {} : { pages })
      })
      return { handle, drain: Effect.andThen(drain, Features.drain(channels)) }
    })
  )

/** Several Prometheus servers may scrape. */
const READ_EVERY = "15 seconds"
const TIMEOUT = "2 seconds"

/** Reads the store at most every 15 seconds. While it does not answer, gauges stay, and `watchword_store_up` is 0. */
const rarely = (read: Effect.Effect<void, StoreError>): Effect.Effect<Effect.Effect<void>> =>
  Effect.cachedWithTTL(Effect.ignore(Effect.timeout(read, TIMEOUT)), READ_EVERY)
