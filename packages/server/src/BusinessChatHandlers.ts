/**
 * The business-chat endpoints: decode, call the channel, answer.
 */
import type { BusinessChatGroup } from "@watchword/api/BusinessChatGroup"
import { BusinessChat } from "@watchword/bizchat/BusinessChat"
import { ListBody } from "@watchword/pagination/ListBody"
import { ReportBusinessChat, SendOtp } from "@watchword/schemas/BusinessChat"
import * as Effect from "effect/Effect"
import { type Handlers, reading } from "./Handlers.ts"
import * as Payload from "./Payload.ts"
import { requestKeys } from "./RequestKeys.ts"

export const make: Effect.Effect<Handlers<typeof BusinessChatGroup>, never, BusinessChat> = Effect.map(
  BusinessChat,
  (chat) => {
    const sendOtp = Payload.decoder(SendOtp)
    const listBody = Payload.decoder(ListBody, {})
    const reportChat = Payload.decoder(ReportBusinessChat)
    return {
      send: ({ principal, request }) =>
        Effect.flatMapEager(sendOtp(request), (body) =>
          Effect.flatMapEager(requestKeys(request), (keys) => chat.send(principal, body, keys))
        ),
      get: reading(({ id, principal }) => chat.get(principal, id)),
      list: reading(({ principal, request }) =>
        Effect.flatMapEager(listBody(request), (body) => chat.list(principal, body))
      ),
      report: ({ principal, request }) =>
        Effect.flatMapEager(reportChat(request), (body) => chat.report(principal, body))
    }
  }
)
