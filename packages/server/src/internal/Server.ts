/**
 * The interface as one handler for any host.
 */
import type { Authenticator } from "@watchword/auth/Authenticator"
import type { NetworkError } from "@watchword/auth/Networks"
import { Features, drain } from "@watchword/send/channel/Features"
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
import { envelope, stopping } from "../http/Failures.ts"
import { type Handle, Handler, MAX_BODY_BYTES } from "../Host.ts"
import * as Payload from "../http/Payload.ts"
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

/** The handler of all endpoints. Closing the scope waits for the requests in flight. */
const make = (options: Options = {}): Effect.Effect<Handle, NetworkError, Authenticator | Features | Scope> =>
  Effect.gen(function* () {
    const clients = yield* Effect.fromResult(Clients.make(options.trustedProxies ?? []))
    const authorize = yield* Authorization.make(clients)
    const features = yield* Features
    const maxBytes = options.maxBodyBytes ?? MAX_BODY_BYTES
    const payload = Payload.make(Bodies.make({ maxBytes, share: ACCOUNT_SHARE }))
    const routes = features.flatMap((feature) => [
      ...Contract.routes(feature, authorize, payload),
      ...Webhooks.routes(feature, clients)
    ])
    const handle = yield* Dispatch.make(routes, options.trustTraceparent ?? false)
    const drained = yield* Drain.make(handle, refuse)
    // Runs before the requests in flight are waited for.
    yield* Effect.addFinalizer(() => drain(features))
    return drained
  })

export const layer = (options: Options = {}): Layer.Layer<Handler, NetworkError, Authenticator | Features> =>
  Layer.effect(Handler, make(options))

/** The answer to a request that comes after the service has begun to stop. */
const refuse: Handle = (host) => Effect.sync(() => envelope(stopping, new ApiRequest(host)))
