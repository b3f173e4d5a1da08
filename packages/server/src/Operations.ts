/**
 * Health and metrics: `/healthz`, `/readyz` and `/metrics`. They are beside the interface, not under its base path, and
 * need no key.
 */
import { type Running, healthOf } from "@watchword/channel/Channels"
import type { GatewayHealth } from "@watchword/gateway/GatewayHealth"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import type { Scope } from "effect/Scope"
import type { Handle } from "./Host.ts"
import * as Metrics from "./internal/Metrics.ts"
import * as Routes from "./internal/Routes.ts"

/** Connections that can stand in for each other: the check passes when one of them is up, or there are none. */
export type Check = Effect.Effect<ReadonlyArray<GatewayHealth>>

/** A check that passes when an effect succeeds in time, for example the store's `ping`. */
export const answers = (name: string, effect: Effect.Effect<unknown, unknown>): Check =>
  effect.pipe(
    Effect.timeout("2 seconds"),
    Effect.match({ onSuccess: () => [{ name, up: true }], onFailure: () => [{ name, up: false }] })
  )

/** A check of a channel's gateway, its connections named `sms:carrier`. */
export const gateway = (running: Pick<Running, "channel" | "health">): Check => healthOf(running)

export interface Options {
  readonly checks: ReadonlyArray<Check>
  /** Further routes, for example those of `Docs`. */
  readonly pages?: Layer.Layer<never, never, HttpRouter.HttpRouter>
}

/**
 * `GET /healthz`: 200 as long as the process answers at all.
 * `GET /readyz`: 200 when every check passes, else 503; each connection by name, `up` or `down`.
 * `GET /metrics`: everything counted with Effect's metrics, as Prometheus reads it.
 */
export const make = (options: Options): Effect.Effect<Handle, never, Scope> =>
  Routes.toHandle(
    Layer.mergeAll(
      HttpRouter.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "ok" })),
      HttpRouter.add("GET", "/readyz", readiness(options.checks)),
      HttpRouter.add("GET", "/metrics", metrics),
      options.pages ?? Layer.empty
    )
  )

const readiness = (checks: ReadonlyArray<Check>) =>
  Effect.map(Effect.all(checks, { concurrency: "unbounded" }), (results) => {
    const ready = results.every((result) => result.length === 0 || result.some(({ up }) => up))
    const states = results.flat().map(({ name, up }): [string, string] => [name, up ? "up" : "down"])
    return HttpServerResponse.jsonUnsafe(
      { status: ready ? "ready" : "unavailable", checks: Object.fromEntries(states) },
      { status: ready ? 200 : 503 }
    )
  })

const metrics = Effect.andThen(
  Metrics.measureProcess,
  Effect.map(PrometheusMetrics.format(), (text) =>
    HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
  )
)
