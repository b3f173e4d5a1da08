/**
 * The interface as one handler for any host.
 */
import type { Authenticator } from "@watchword/auth/Authenticator"
import type { NetworkError } from "@watchword/auth/Networks"
import { Features, drain } from "@watchword/send/channel/Features"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { ApiRequest } from "../http/ApiRequest.ts"
import * as Authorization from "./Authorization.ts"
import * as Bodies from "../http/Bodies.ts"
import * as Clients from "../http/Clients.ts"
import * as Contract from "./Contract.ts"
import * as Dispatch from "./Dispatch.ts"
import * as Drain from "../http/Drain.ts"
import { Entrance } from "../http/Entrance.ts"
import { envelope, stopping } from "../http/Failures.ts"
import { type Handle, Handler, MAX_BODY_BYTES } from "../Host.ts"
import * as Payload from "../http/Payload.ts"
import { router } from "../http/Router.ts"
import { RefusedLog } from "./refused/RefusedLog.ts"
import * as Visits from "./Visits.ts"
import * as Webhooks from "./Webhooks.ts"

export interface Options {
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed. None by default. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** A larger body is answered 400. 65,536 by default. */
  readonly maxBodyBytes?: number
  /**
   * Whether requests continue the traces that their headers name (`traceparent`, `b3`). False by default, because a
   * client could have all of its requests sampled, or write into the traces of others.
   */
  readonly trustTraceparent?: boolean
}

/** How much memory the bodies of one account's requests may take at a time, in bytes. */
const ACCOUNT_SHARE = 8 * 1024 * 1024

/** The largest body of a request without a key, which is a form with one. */
const MAX_STRANGERS_BYTES = 8_192

/** The handler of all endpoints, and the parts of it that doors share. */
const make = (
  options: Options = {}
): Effect.Effect<Context.Context<Entrance | Handler>, NetworkError, Authenticator | Features | Scope> =>
  Effect.gen(function* () {
    const clients = yield* Effect.fromResult(Clients.make(options.trustedProxies ?? []))
    const authenticate = yield* Authorization.authenticating(clients)
    const authorize = Authorization.authorizing(authenticate)
    const features = yield* Features
    const withBody = Bodies.make({ maxBytes: options.maxBodyBytes ?? MAX_BODY_BYTES, share: ACCOUNT_SHARE })
    const withStrangersBody = Bodies.ofStrangers(MAX_STRANGERS_BYTES, clients)
    const payload = Payload.make(withBody)
    const routes = features.flatMap((feature) => [
      ...Contract.routes(feature, authorize, payload),
      ...Webhooks.routes(feature, clients),
      ...Visits.routes(feature, clients)
    ])
    const keepTrace = options.trustTraceparent ?? false
    const log = yield* RefusedLog
    const note: Dispatch.Note = (request, status) => log.note(request, status, clients)
    const handlerOf = (answer: Dispatch.Answer, refuse: Handle) =>
      Effect.flatMap(Dispatch.make(answer, keepTrace, note), (handle) => Drain.make(handle, refuse))
    // Closing the scope waits for the requests in flight.
    const handle = yield* handlerOf(router(routes), refuse)
    // Runs before the requests in flight are waited for.
    yield* Effect.addFinalizer(() => drain(features))
    return Context.make(Handler, handle).pipe(
      Context.add(Entrance, { authenticate, withBody, withStrangersBody, handlerOf })
    )
  })

export const layer = (options: Options = {}): Layer.Layer<Entrance | Handler, NetworkError, Authenticator | Features> =>
  Layer.effectContext(make(options))

/** The answer to a request that comes after the service has begun to stop. */
const refuse: Handle = (host) => Effect.sync(() => envelope(stopping, new ApiRequest(host)))
