/**
 * The interface as one handler for any host.
 */
import { Api } from "@watchword/api/Api"
import type { Authenticator } from "@watchword/auth/Authenticator"
import type { NetworkError } from "@watchword/auth/Networks"
import type { BusinessChat } from "@watchword/bizchat/BusinessChat"
import type { Call } from "@watchword/call/Call"
import type { Chat } from "@watchword/chatgw/Chat"
import type { Sms } from "@watchword/sms/Sms"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { ApiRequest, headerOf } from "./ApiRequest.ts"
import * as Authorization from "./Authorization.ts"
import { bodyLimit } from "./BodyLimit.ts"
import * as BusinessChatHandlers from "./BusinessChatHandlers.ts"
import * as CallHandlers from "./CallHandlers.ts"
import * as ChatHandlers from "./ChatHandlers.ts"
import * as Contract from "./Contract.ts"
import * as Dispatch from "./Dispatch.ts"
import * as Drain from "./Drain.ts"
import { envelope, stopping } from "./Failures.ts"
import { type Handle, Handler, type HostRequest, tooLarge } from "./Host.ts"
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
    const authorize = yield* Authorization.make(options.trustedProxies ?? [])
    const { bizchat, call, chatgw, sms } = Api.groups
    const handle = yield* Dispatch.make([
      ...Contract.routes(call, yield* CallHandlers.make, authorize),
      ...Contract.routes(sms, yield* SmsHandlers.make, authorize),
      ...Contract.routes(chatgw, yield* ChatHandlers.make, authorize),
      ...Contract.routes(bizchat, yield* BusinessChatHandlers.make, authorize),
      ...(yield* Webhooks.routes)
    ])
    const limited = (request: HostRequest) => handle(bounded(request, bodyLimit(request.path, options.maxBodyBytes)))
    return yield* Drain.make(limited, refuse)
  })

export const layer = (options: Options = {}): Layer.Layer<Handler, NetworkError, Authenticator | Channels> =>
  Layer.effect(Handler, make(options))

/** The answer to whoever comes too late. */
const refuse: Handle = (host) => Effect.sync(() => envelope(stopping, new ApiRequest(host)))

// Hosts stop reading at the limit where they can; others hand over what they have.
const bounded = (request: HostRequest, maxBytes: number): HostRequest => {
  const { body } = request
  const size = body._tag === "Bytes" ? body.bytes.length : Number(headerOf(request, "content-length") ?? 0)
  return size > maxBytes ? { ...request, body: tooLarge } : request
}
