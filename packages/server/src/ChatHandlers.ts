/**
 * The chat-gateway endpoints: decode, call the channel, answer.
 */
import type { ChatGroup } from "@watchword/api/ChatGroup"
import { Chat } from "@watchword/chatgw/Chat"
import { ListBody } from "@watchword/pagination/ListBody"
import { CheckSendAbility, CheckVerification, ReportChat, RevokeVerification, SendCode } from "@watchword/schemas/Chat"
import * as Effect from "effect/Effect"
import { type Handlers, reading, sending, told } from "./Handlers.ts"
import { decoder } from "./Payload.ts"

export const make: Effect.Effect<Handlers<typeof ChatGroup>, never, Chat> = Effect.map(Chat, (chat) => ({
  send: sending(decoder(SendCode), chat.send),
  checkSendAbility: sending(decoder(CheckSendAbility), chat.checkSendAbility),
  checkVerificationStatus: told(decoder(CheckVerification), chat.checkVerificationStatus),
  revoke: told(decoder(RevokeVerification), chat.revoke),
  get: reading(({ id, principal }) => chat.get(principal, id)),
  list: reading(told(decoder(ListBody, {}), chat.list)),
  report: told(decoder(ReportChat), chat.report)
}))
