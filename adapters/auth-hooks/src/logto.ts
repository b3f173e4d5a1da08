/**
 * Receives hooks from Logto's connector "HTTP SMS", which identifies itself with a header.
 *
 * Source: https://docs.logto.io/integrations/http-sms, and the types of `@logto/connector-kit`. A request has no
 * signature, no timestamp and no id; retries are recognized by type, number and code. Logto stores and sends numbers as
 * digits.
 */
import { type AuthHook, type HookOptions, byStatus, make, required } from "./internal/AuthHook.ts"
import { headerOf, textOf } from "./internal/Fields.ts"
import * as Hmac from "./internal/Hmac.ts"
import * as Recipients from "./internal/Recipients.ts"
import type { Message } from "./internal/Sending.ts"

export type { AuthHook, HookOptions } from "./internal/AuthHook.ts"

export type LogtoOptions<Caller> = HookOptions<Caller> & {
  /** The connector's `authorization` header, such as `Bearer` and 32 random bytes in hexadecimal. */
  readonly authorization: string
}

/**
 * Makes the receiver. Throws a `TypeError` if `authorization` is missing.
 *
 * @example
 * ```ts no_run
 * import { logto } from "@watchword/auth-hooks/logto"
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const { account_id: caller } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
 * const hook = logto({ service, caller, authorization: "Bearer 7a1f…" })
 * export const POST = hook.fetch
 * ```
 */
export const logto = <Caller>(options: LogtoOptions<Caller>): AuthHook => {
  const authorization = required(options, "authorization", "the Logto hook needs the authorization of its connector")
  const hmac = Hmac.make(Hmac.bytesOf(authorization))
  return make(
    {
      name: "logto",
      hmac,
      // Compares HMACs of the two in constant time, so the timing does not reveal where they differ.
      isExpected: async (headers) =>
        hmac.verify(Uint8Array.from(await hmac.sign(authorization)), headerOf(headers, "authorization") ?? ""),
      isSigned: null,
      messageOf,
      answer: byStatus
    },
    options
  )
}

/**
 * The type that a Keycloak plugin posts to this receiver, see docs/identity.md: its numbers are as the user typed them.
 */
const KEYCLOAK = "Keycloak"

const messageOf = (payload: unknown): Message | null => {
  const to = textOf(payload, "to")
  if (to === null) return null
  const type = textOf(payload, "type") ?? "Generic"
  return {
    to: type === KEYCLOAK ? Recipients.written(to) : Recipients.digits(to),
    type,
    code: textOf(payload, "payload", "code"),
    text: null,
    user: null,
    locale: textOf(payload, "payload", "locale"),
    clientIp: textOf(payload, "ip"),
    // Logto's codes are valid for ten minutes.
    ttl: 600
  }
}
