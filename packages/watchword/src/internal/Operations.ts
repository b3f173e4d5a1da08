/**
 * Health and metrics of a service: its store, and the gateways of its channels.
 */
import * as Backlog from "@watchword/events/Backlog"
import * as Channels from "@watchword/channel/Channels"
import * as Operations from "@watchword/server/Operations"
import { Store } from "@watchword/store/Store"
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
  readonly pages?: Layer.Layer<never, never, HttpRouter>
}

export const layer = ({ pages }: Options): Layer.Layer<OperationsHandler, never, Channels.Channels | Store> =>
  Layer.effect(
    OperationsHandler,
    Effect.gen(function* () {
      const store = yield* Store
      const channels = yield* Channels.Channels
      const { drain, handle } = yield* Operations.make({
        store: store.ping,
        channels,
        measure: Effect.andThen(yield* OpenSends.measure(store), yield* Backlog.measure(store)),
        ...(pages === undefined ? {} : { pages })
      })
      return { handle, drain: Effect.andThen(drain, Channels.drain(channels)) }
    })
  )
