/**
 * Health and metrics: `/healthz`, `/readyz` and `/metrics`. They are next to the interface, not under its base path,
 * and need no key.
 */
import { type Running, healthOf } from "@watchword/send/channel/Features"
import { NotFound } from "@watchword/schemas/Errors"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import type { Scope } from "effect/Scope"
import type { Handle } from "../Host.ts"
import { noEndpoint } from "../http/Failures.ts"
import * as Metrics from "./Metrics.ts"
import * as Routes from "./Routes.ts"

export interface Options {
  /** The ping of the store. Asked at most once a second, however many requests ask for it. */
  readonly store: Effect.Effect<void, StoreError>
  /** The channels, whose connections are named `sms:host:port`. */
  readonly channels: ReadonlyArray<Pick<Running, "feature" | "health">>
  /** Brings gauges up to date before they are read; it must not take long. */
  readonly measure?: Effect.Effect<void>
  /** Further routes, for example the routes of `Docs`. */
  readonly pages?: Layer.Layer<never, never, HttpRouter.HttpRouter>
}

export interface Operations {
  readonly handle: Handle
  /** Has `/readyz` answer 503 from now on. The closing of the scope does the same. */
  readonly drain: Effect.Effect<void>
}

type StoreState = "up" | "down" | "broken"

const PING_EVERY = "1 second"
const PING_TIMEOUT = "2 seconds"

/** Liveness probes commonly wait for one second, and must not fail because a database is slow. */
const LIVENESS_TIMEOUT = "500 millis"

/**
 * - `GET /healthz`: 200 as long as the process answers, unless its store needs a restart of the process.
 * - `GET /readyz`: 503 without the store and while draining. A channel whose connections are all down makes it
 *   `degraded`, with 200, because the other channels work. Names each connection, `up` or `down`.
 * - `GET /metrics`: every metric of Effect, in the format of Prometheus.
 */
export const make = ({
  channels,
  measure = Effect.void,
  pages,
  store
}: Options): Effect.Effect<Operations, never, Scope> =>
  Effect.gen(function* () {
    let isDraining = false
    const drain = Effect.sync(() => {
      isDraining = true
    })
    yield* Effect.addFinalizer(() => drain)
    const state = yield* Effect.cachedWithTTL(stateOf(store), PING_EVERY)
    const handle = yield* Routes.toHandle(
      Layer.mergeAll(
        HttpRouter.add("GET", "/healthz", liveness(state)),
        HttpRouter.add(
          "GET",
          "/readyz",
          Effect.suspend(() => readiness(state, channels, isDraining))
        ),
        HttpRouter.add("GET", "/metrics", metrics(state, channels, measure)),
        pages ?? Layer.empty
      ),
      pages === undefined ? noEndpoint : described
    )
    return { handle, drain }
  })

const stateOf = (ping: Options["store"]): Effect.Effect<StoreState> =>
  ping.pipe(
    Effect.timeout(PING_TIMEOUT),
    Effect.match({
      onSuccess: () => "up",
      onFailure: (error) => (error instanceof StoreError && error.reason === "Broken" ? "broken" : "down")
    })
  )

const liveness = (store: Effect.Effect<StoreState>) =>
  Effect.map(Effect.timeoutOrElse(store, { duration: LIVENESS_TIMEOUT, orElse: () => unanswered }), (state) =>
    state === "broken" ? answer("broken", 503) : answer("ok", 200)
  )

const unanswered = Effect.succeed<StoreState>("down")

const readiness = (store: Effect.Effect<StoreState>, channels: Options["channels"], isDraining: boolean) =>
  Effect.gen(function* () {
    const state = yield* store
    const connections = yield* Effect.forEach(channels, healthOf)
    // The connections of a channel can replace each other.
    const isDegraded = connections.some((all) => all.length > 0 && !all.some(({ up }) => up))
    const checks = Object.fromEntries([
      ["store", state === "up" ? "up" : "down"],
      ...connections.flat().map(({ name, up }) => [name, up ? "up" : "down"])
    ])
    if (isDraining) return answer("draining", 503, { checks })
    if (state !== "up") return answer("unavailable", 503, { checks })
    return answer(isDegraded ? "degraded" : "ready", 200, { checks })
  })

const answer = (status: string, code: number, more: object = {}) =>
  HttpServerResponse.jsonUnsafe({ status, ...more }, { status: code, headers: { "cache-control": "no-store" } })

const described = new NotFound({ message: "There is no page at the root. The interface is described at /docs." })

const metrics = (store: Effect.Effect<StoreState>, channels: Options["channels"], measure: Effect.Effect<void>) =>
  Effect.gen(function* () {
    yield* Metrics.measureProcess
    yield* Metrics.measureStore((yield* store) === "up")
    yield* Metrics.measureGateways((yield* Effect.forEach(channels, healthOf)).flat())
    yield* measure
    const text = yield* PrometheusMetrics.format()
    return HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
  })
