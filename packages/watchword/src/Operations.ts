/**
 * What the people who run the service ask it, with this service's own checks.
 */
import { BusinessChat } from "@watchword/bizchat/BusinessChat"
import { Call } from "@watchword/call/Call"
import { Chat } from "@watchword/chatgw/Chat"
import type { Handle } from "@watchword/server/Host"
import * as Operations from "@watchword/server/Operations"
import type { Channels } from "@watchword/server/Server"
import { Sms } from "@watchword/sms/Sms"
import { Store } from "@watchword/store/Store"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpRouter } from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"

/** Answers `/healthz`, `/readyz` and `/metrics`, which are not under the base path. */
export class OperationsHandler extends Context.Service<OperationsHandler, Handle>()("watchword/OperationsHandler") {}

export interface Options {
  readonly pages?: Layer.Layer<never, never, HttpRouter>
}

export const layer = ({ pages }: Options): Layer.Layer<OperationsHandler, never, Channels | Store> =>
  Layer.effect(
    OperationsHandler,
    Effect.gen(function* () {
      const store = yield* Store
      const call = yield* Call
      const sms = yield* Sms
      const chat = yield* Chat
      const businessChat = yield* BusinessChat
      return yield* Operations.make({
        checks: [
          Operations.answers("store", store.ping),
          Operations.gateways("call", call.links),
          Operations.gateways("sms", sms.links),
          Operations.gateways("chatgw", chat.links),
          Operations.gateways("bizchat", businessChat.links)
        ],
        ...(pages === undefined ? {} : { pages })
      })
    })
  )
