/**
 * The interface as one handler for any host.
 */
import { Api } from "@watchword/api/Api"
import { ErrorEnvelope } from "@watchword/api/Authorization"
import type { Authenticator } from "@watchword/auth/Authenticator"
import type { NetworkError } from "@watchword/auth/Networks"
import type { BusinessChat } from "@watchword/bizchat/BusinessChat"
import type { Call } from "@watchword/call/Call"
import type { Chat } from "@watchword/chatgw/Chat"
import type { Sms } from "@watchword/sms/Sms"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as Authorization from "./Authorization.ts"
import { bodyLimit } from "./BodyLimit.ts"
import * as BusinessChatHandlers from "./BusinessChatHandlers.ts"
import * as CallHandlers from "./CallHandlers.ts"
import * as ChatHandlers from "./ChatHandlers.ts"
import * as Drain from "./Drain.ts"
import { envelope, noEndpoint, respond, stopping } from "./Failures.ts"
import { type Handle, Handler, type HostRequest, tooLarge } from "./Host.ts"
import * as Metrics from "./Metrics.ts"
import * as Routes from "./Routes.ts"
import { current, headerOf } from "./ServerRequest.ts"
import * as SmsHandlers from "./SmsHandlers.ts"
import * as Webhooks from "./Webhooks.ts"

export interface Options {
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed. None by default. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** A larger body is answered 400. 65,536 by default. */
  readonly maxBodyBytes?: number
}

/** The four ways to a phone. */
export type Channels = Call | Sms | Chat | BusinessChat

/** The handler of all endpoints. Closing the scope waits for the requests in flight. */
export const make = (options: Options = {}): Effect.Effect<Handle, NetworkError, Authenticator | Channels | Scope> =>
  Effect.gen(function* () {
    const handle = yield* Routes.toHandle(routes(options.trustedProxies ?? []), Metrics.countAnswer)
    const limited = (request: HostRequest) => handle(bounded(request, bodyLimit(request.path, options.maxBodyBytes)))
    return yield* Drain.make(limited, Routes.answerAll(stopping))
  })

export const layer = (options: Options = {}): Layer.Layer<Handler, NetworkError, Authenticator | Channels> =>
  Layer.effect(Handler, make(options))

const routes = (trustedProxies: ReadonlyArray<string>) =>
  HttpApiBuilder.layer(Api).pipe(
    Layer.provide([CallHandlers.layer, SmsHandlers.layer, ChatHandlers.layer, BusinessChatHandlers.layer]),
    Layer.provide([Authorization.layer(trustedProxies), errorEnvelope]),
    Layer.provide(HttpServer.layerServices),
    Layer.merge(Webhooks.layer)
  )

const errorEnvelope = Layer.succeed(ErrorEnvelope, (handler, { endpoint }) =>
  Effect.flatMap(current, (request) => {
    // The router gives HEAD to the routes of GET; the interface has no HEAD.
    if (request.method !== endpoint.method) return Effect.succeed(envelope(noEndpoint, request))
    request.route = endpoint.path
    return Effect.catchCause(handler, (cause) => respond(cause, request))
  })
)

// Hosts stop reading at the limit where they can; others hand over what they have.
const bounded = (request: HostRequest, maxBytes: number): HostRequest => {
  const { body } = request
  const size = body._tag === "Bytes" ? body.bytes.length : Number(headerOf(request, "content-length") ?? 0)
  return size > maxBytes ? { ...request, body: tooLarge } : request
}
