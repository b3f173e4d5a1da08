/**
 * The chat-gateway endpoints: decode, call the channel, answer.
 */
import type { ChatGroup } from "@watchword/api/ChatGroup"
import { Chat } from "@watchword/chatgw/Chat"
import { ListBody } from "@watchword/pagination/ListBody"
import { CheckSendAbility, CheckVerification, ReportChat, RevokeVerification, SendCode } from "@watchword/schemas/Chat"
import * as Effect from "effect/Effect"
import { type Handlers, reading } from "./Handlers.ts"
import * as Payload from "./Payload.ts"
import { requestKeys } from "./RequestKeys.ts"

export const make: Effect.Effect<Handlers<typeof ChatGroup>, never, Chat> = Effect.map(Chat, (chat) => {
  const sendCode = Payload.decoder(SendCode)
  const sendAbility = Payload.decoder(CheckSendAbility)
  const checkVerification = Payload.decoder(CheckVerification)
  const revokeVerification = Payload.decoder(RevokeVerification)
  const listBody = Payload.decoder(ListBody, {})
  const reportChat = Payload.decoder(ReportChat)
  return {
    send: ({ principal, request }) =>
      Effect.flatMapEager(sendCode(request), (body) =>
        Effect.flatMapEager(requestKeys(request), (keys) => chat.send(principal, body, keys))
      ),
    checkSendAbility: ({ principal, request }) =>
      Effect.flatMapEager(sendAbility(request), (body) =>
        Effect.flatMapEager(requestKeys(request), (keys) => chat.checkSendAbility(principal, body, keys))
      ),
    checkVerificationStatus: ({ principal, request }) =>
      Effect.flatMapEager(checkVerification(request), (body) => chat.checkVerificationStatus(principal, body)),
    revoke: ({ principal, request }) =>
      Effect.flatMapEager(revokeVerification(request), (body) => chat.revoke(principal, body)),
    get: reading(({ id, principal }) => chat.get(principal, id)),
    list: reading(({ principal, request }) =>
      Effect.flatMapEager(listBody(request), (body) => chat.list(principal, body))
    ),
    report: ({ principal, request }) => Effect.flatMapEager(reportChat(request), (body) => chat.report(principal, body))
  }
})
