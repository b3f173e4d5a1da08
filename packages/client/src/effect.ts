/**
 * The client for programs written with Effect: the contract of `@watchword/api` over any `HttpClient`.
 */
import { Access, Authorization } from "@watchword/api/Access"
import { Api } from "@watchword/api/Api"
import { ACCOUNT_ID, API_KEY, IDEMPOTENCY_KEY, REQUEST_ID } from "@watchword/api/Headers"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

export interface Options {
  /** The service's base address with its version, for example `https://otp.example.com/v1`. */
  readonly baseUrl: URL | string
  readonly apiKey: Redacted.Redacted
  readonly accountId: string
}

/** A function for each endpoint, by group. */
export interface Service extends HttpApiClient.ForApi<typeof Api> {}

/**
 * The client: a function for each endpoint, by channel. Errors of the interface arrive as the classes of
 * `@watchword/schemas/Errors`.
 *
 * @example
 * ```ts no_run
 * import * as WatchwordClient from "@watchword/client/effect"
 * import { E164 } from "@watchword/schemas/PhoneNumber"
 * import { Text } from "@watchword/schemas/Sms"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 * import * as Option from "effect/Option"
 * import * as Redacted from "effect/Redacted"
 *
 * const live = WatchwordClient.layer({
 *   baseUrl: "http://127.0.0.1:8080/v1",
 *   apiKey: Redacted.make("sk_test_…"),
 *   accountId: "acc_…"
 * }).pipe(Layer.provide(FetchHttpClient.layer))
 *
 * const program = Effect.gen(function* () {
 *   const client = yield* WatchwordClient.WatchwordClient
 *   const payload = { to: E164.make("+4915123456789"), text: Text.make("Your code is 123456") }
 *   return yield* client.sms.send({ payload }).pipe(WatchwordClient.withIdempotencyKey("signup-8271"))
 * })
 *
 * Effect.runPromise(program.pipe(Effect.provide(live)))
 * ```
 */
export class WatchwordClient extends Context.Service<WatchwordClient, Service>()("@watchword/client/WatchwordClient") {}

export const make = (options: Options): Effect.Effect<Service, never, HttpClient.HttpClient> =>
  Effect.provide(HttpApiClient.make(Api, { baseUrl: options.baseUrl }), authorization(options))

export const layer = (options: Options): Layer.Layer<WatchwordClient, never, HttpClient.HttpClient> =>
  Layer.effect(WatchwordClient, make(options))

const RequestId = Context.Reference<string | null>("@watchword/client/WatchwordClient/RequestId", {
  defaultValue: () => null
})

const IdempotencyKey = Context.Reference<string | null>("@watchword/client/WatchwordClient/IdempotencyKey", {
  defaultValue: () => null
})

/** Sends the calls of an effect under this correlation id, a UUID. */
export const withRequestId: {
  (id: string): <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  <A, E, R>(self: Effect.Effect<A, E, R>, id: string): Effect.Effect<A, E, R>
} = dual(2, <A, E, R>(self: Effect.Effect<A, E, R>, id: string) => Effect.provideService(self, RequestId, id))

/**
 * Gives a send a name, so that repeating it answers the first response again instead of sending twice. It belongs
 * around `Effect.retry`, and not inside. Without it each call has a name of its own, which a retry of the `HttpClient`
 * keeps.
 */
export const withIdempotencyKey: {
  (key: string): <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  <A, E, R>(self: Effect.Effect<A, E, R>, key: string): Effect.Effect<A, E, R>
} = dual(2, <A, E, R>(self: Effect.Effect<A, E, R>, key: string) => Effect.provideService(self, IdempotencyKey, key))

const authorization = (options: Options) =>
  HttpApiMiddleware.layerClient(
    Authorization,
    Effect.fnUntraced(function* ({ endpoint, next, request }) {
      const requestId = yield* RequestId
      const isKeyed = Context.getUnsafe(endpoint.annotations, Access).repeatsBy !== "nothing"
      // A key of its own for each call: what repeats the request below here, as `HttpClient.retryTransient` does, sends
      // it once.
      const idempotencyKey = (yield* IdempotencyKey) ?? (isKeyed ? crypto.randomUUID() : null)
      const init = Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.RequestInit), () => ({}))
      return yield* next(
        HttpClientRequest.setHeaders(request, {
          [API_KEY]: Redacted.value(options.apiKey),
          [ACCOUNT_ID]: options.accountId,
          ...(requestId === null ? {} : { [REQUEST_ID]: requestId }),
          ...(idempotencyKey === null ? {} : { [IDEMPOTENCY_KEY]: idempotencyKey })
        })
        // A redirect would take the key to where it leads.
      ).pipe(Effect.provideService(FetchHttpClient.RequestInit, { ...init, redirect: "manual" }))
    })
  )
