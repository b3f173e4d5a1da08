/**
 * The business-chat endpoints: decode, call the channel, answer.
 */
import type { BusinessChatGroup } from "@watchword/api/BusinessChatGroup"
import { BusinessChat } from "@watchword/bizchat/BusinessChat"
import { ListBody } from "@watchword/pagination/ListBody"
import { ReportBusinessChat, SendOtp } from "@watchword/schemas/BusinessChat"
import * as Effect from "effect/Effect"
import { type Handlers, reading, sending, told } from "./Handlers.ts"
import { decoder } from "./Payload.ts"

export const make: Effect.Effect<Handlers<typeof BusinessChatGroup>, never, BusinessChat> = Effect.map(
  BusinessChat,
  (chat) => ({
    send: sending(decoder(SendOtp), chat.send),
    get: reading(({ id, principal }) => chat.get(principal, id)),
    list: reading(told(decoder(ListBody, {}), chat.list)),
    report: told(decoder(ReportBusinessChat), chat.report)
  })
)
