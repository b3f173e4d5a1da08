/**
 * The chat-gateway channel for programs that call it in-process: the same checks as over HTTP, promises out.
 */
import { Chat, type Service } from "@watchword/chatgw/Chat"
import type { Accounts } from "@watchword/ledger/Accounts"
import type { Envelope } from "@watchword/pagination/Envelope"
import { ListBody } from "@watchword/pagination/ListBody"
import {
  type ChatReported,
  CheckSendAbility,
  CheckVerification,
  type CodeSent,
  ReportChat,
  RevokeVerification,
  type Revoked,
  type SendAbility,
  SendCode,
  type Tdr,
  type Verification
} from "@watchword/schemas/Chat"
import type { Principal } from "@watchword/schemas/Principal"
import * as Effect from "effect/Effect"
import { type Keys, checked, sendKeys } from "./Arguments.ts"
import { type Caller, principalOf } from "./Principals.ts"

export interface DirectChat {
  /**
   * Sends a code. The promise resolves once the gateway has taken it, and rejects with one of the errors of
   * `@watchword/schemas/Errors`, whose `_tag` is the code.
   */
  readonly send: (caller: Caller, message: typeof SendCode.Encoded, keys?: Keys) => Promise<CodeSent>
  /** Asks whether a number can be reached. */
  readonly checkSendAbility: (
    caller: Caller,
    probe: typeof CheckSendAbility.Encoded,
    keys?: Keys
  ) => Promise<SendAbility>
  /** Checks what the user has entered. */
  readonly checkVerificationStatus: (caller: Caller, check: typeof CheckVerification.Encoded) => Promise<Verification>
  /** Takes a code back. */
  readonly revoke: (caller: Caller, request: typeof RevokeVerification.Encoded) => Promise<Revoked>
  readonly get: (caller: Caller, uuid: string) => Promise<Tdr>
  readonly list: (caller: Caller, body?: typeof ListBody.Encoded) => Promise<Envelope<Tdr>>
  readonly report: (caller: Caller, report: typeof ReportChat.Encoded) => Promise<ChatReported>
}

type Run = <A, E>(effect: Effect.Effect<A, E, Chat | Accounts>) => Promise<A>

const sendCode = checked(SendCode)
const sendAbility = checked(CheckSendAbility)
const checkVerification = checked(CheckVerification)
const revokeVerification = checked(RevokeVerification)
const listBody = checked(ListBody)
const reportChat = checked(ReportChat)

/** @param run runs an effect with the service's own context */
export const make = (run: Run): DirectChat => {
  const as = <A, E>(caller: Caller, use: (chat: Service, principal: Principal) => Effect.Effect<A, E>): Promise<A> =>
    run(Effect.flatMap(principalOf(caller), (principal) => Chat.use((chat) => use(chat, principal))))

  return {
    send: (caller, message, keys = {}) =>
      as(caller, (chat, principal) =>
        Effect.flatMap(Effect.all([sendCode(message), sendKeys(keys)]), ([body, given]) =>
          chat.send(principal, body, given)
        )
      ),
    checkSendAbility: (caller, probe, keys = {}) =>
      as(caller, (chat, principal) =>
        Effect.flatMap(Effect.all([sendAbility(probe), sendKeys(keys)]), ([body, given]) =>
          chat.checkSendAbility(principal, body, given)
        )
      ),
    checkVerificationStatus: (caller, check) =>
      as(caller, (chat, principal) =>
        Effect.flatMap(checkVerification(check), (body) => chat.checkVerificationStatus(principal, body))
      ),
    revoke: (caller, request) =>
      as(caller, (chat, principal) =>
        Effect.flatMap(revokeVerification(request), (body) => chat.revoke(principal, body))
      ),
    get: (caller, uuid) => as(caller, (chat, principal) => chat.get(principal, uuid)),
    list: (caller, body = {}) =>
      as(caller, (chat, principal) => Effect.flatMap(listBody(body), (checked) => chat.list(principal, checked))),
    report: (caller, body) =>
      as(caller, (chat, principal) => Effect.flatMap(reportChat(body), (checked) => chat.report(principal, checked)))
  }
}
