/**
 * The send of a verification's code: a probe first, whose price the send spends.
 */
import { Code, type CheckSendAbility, type SendAbility, type SendCode } from "@watchword/schemas/Chatgw"
import type { Principal } from "@watchword/schemas/Account"
import { type CodeError, type CodeMessage, NoAccount } from "@watchword/send/channel/Channel"
import { type RequestKeys, noKeys } from "@watchword/send/Claims"
import type { SendError } from "@watchword/send/Send"
import * as Effect from "effect/Effect"

interface Chatgw {
  readonly checkSendAbility: (
    principal: Principal,
    body: CheckSendAbility,
    keys: RequestKeys
  ) => Effect.Effect<SendAbility, SendError>
  readonly send: (principal: Principal, body: SendCode, keys: RequestKeys) => Effect.Effect<unknown, SendError>
}

/** The probe's record has the id that was chosen for it, and does not belong to the verification's deliveries. */
export const sendProbed = (
  chat: Chatgw,
  { client, code, origin, principal, probe, to, ttl }: CodeMessage
): Effect.Effect<unknown, CodeError> => {
  const keys = probe === null ? noKeys : { ...noKeys, origin: { id: probe, details: {} } }
  return Effect.flatMap(
    chat.checkSendAbility(principal, { ...client, to }, keys),
    (ability): Effect.Effect<unknown, CodeError> =>
      ability.is_refunded
        ? Effect.fail(new NoAccount())
        : chat.send(principal, { ...client, to, code: Code.make(code), ttl }, { ...noKeys, origin })
  )
}
