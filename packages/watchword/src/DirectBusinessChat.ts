/**
 * The business-chat channel for programs that call it in-process: the same checks as over HTTP, promises out.
 */
import { BusinessChat, type Service } from "@watchword/bizchat/BusinessChat"
import type { Accounts } from "@watchword/ledger/Accounts"
import type { Envelope } from "@watchword/pagination/Envelope"
import { ListBody } from "@watchword/pagination/ListBody"
import {
  type BusinessChatReported,
  type OtpSent,
  ReportBusinessChat,
  SendOtp,
  type Wdr
} from "@watchword/schemas/BusinessChat"
import type { Principal } from "@watchword/schemas/Principal"
import * as Effect from "effect/Effect"
import { type Keys, checked, sendKeys } from "./Arguments.ts"
import { type Caller, principalOf } from "./Principals.ts"

export interface DirectBusinessChat {
  /**
   * Sends a text. The promise resolves once the platform has taken it, and rejects with one of the errors of
   * `@watchword/schemas/Errors`, whose `_tag` is the code.
   */
  readonly send: (caller: Caller, message: typeof SendOtp.Encoded, keys?: Keys) => Promise<OtpSent>
  readonly get: (caller: Caller, uuid: string) => Promise<Wdr>
  readonly list: (caller: Caller, body?: typeof ListBody.Encoded) => Promise<Envelope<Wdr>>
  readonly report: (caller: Caller, report: typeof ReportBusinessChat.Encoded) => Promise<BusinessChatReported>
}

type Run = <A, E>(effect: Effect.Effect<A, E, BusinessChat | Accounts>) => Promise<A>

const sendOtp = checked(SendOtp)
const listBody = checked(ListBody)
const reportChat = checked(ReportBusinessChat)

/** @param run runs an effect with the service's own context */
export const make = (run: Run): DirectBusinessChat => {
  const as = <A, E>(caller: Caller, use: (chat: Service, principal: Principal) => Effect.Effect<A, E>): Promise<A> =>
    run(Effect.flatMap(principalOf(caller), (principal) => BusinessChat.use((chat) => use(chat, principal))))

  return {
    send: (caller, message, keys = {}) =>
      as(caller, (chat, principal) =>
        Effect.flatMap(Effect.all([sendOtp(message), sendKeys(keys)]), ([body, given]) =>
          chat.send(principal, body, given)
        )
      ),
    get: (caller, uuid) => as(caller, (chat, principal) => chat.get(principal, uuid)),
    list: (caller, body = {}) =>
      as(caller, (chat, principal) => Effect.flatMap(listBody(body), (checked) => chat.list(principal, checked))),
    report: (caller, body) =>
      as(caller, (chat, principal) => Effect.flatMap(reportChat(body), (checked) => chat.report(principal, checked)))
  }
}
