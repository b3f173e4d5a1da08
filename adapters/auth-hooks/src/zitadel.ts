/**
 * Receives hooks from ZITADEL's SMS provider of type HTTP, which signs its requests in the header `ZITADEL-Signature`.
 *
 * Source: https://zitadel.com/docs/guides/manage/customize/notification-providers and the server itself,
 * zitadel/zitadel (`pkg/actions`). It waits for five seconds, and repeats a request that was not answered with a 2xx. A
 * request has no id; retries are recognized by event, user, number and code.
 */
import { type AuthHook, type HookOptions, byStatus, make, required } from "./internal/AuthHook.ts"
import { fieldOf, headerOf, textOf } from "./internal/Fields.ts"
import * as Hmac from "./internal/Hmac.ts"
import * as Recipients from "./internal/Recipients.ts"
import type { Message } from "./internal/Sending.ts"

export type { AuthHook, HookOptions } from "./internal/AuthHook.ts"

export type ZitadelOptions<Caller> = HookOptions<Caller> & {
  /** The `signingKey` that ZITADEL returned when the provider was created. */
  readonly signingKey: string
}

/**
 * Makes the receiver. Throws a `TypeError` if `signingKey` is missing.
 *
 * A code with letters, which ZITADEL makes by default to verify a number, is sent by SMS in ZITADEL's own text; a
 * numeric code is sent over the channels.
 *
 * @example
 * ```ts no_run
 * import { zitadel } from "@watchword/auth-hooks/zitadel"
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const { account_id: caller } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
 * const hook = zitadel({ service, caller, signingKey: "…" })
 * export const POST = hook.fetch
 * ```
 */
export const zitadel = <Caller>(options: ZitadelOptions<Caller>): AuthHook => {
  const signingKey = required(options, "signingKey", "the ZITADEL hook needs the signing key of its provider")
  const hmac = Hmac.make(Hmac.bytesOf(signingKey))
  return make(
    {
      name: "zitadel",
      hmac,
      isExpected: (headers, now) => {
        const { signatures, timestamp } = signed(headerOf(headers, HEADER) ?? "")
        return signatures.length > 0 && Hmac.isRecent(timestamp, now)
      },
      isSigned: async (headers, bytes) => {
        const { signatures, timestamp } = signed(headerOf(headers, HEADER) ?? "")
        let isRight = false
        for (const signature of signatures) if (await hmac.verify(signature, `${timestamp}.`, bytes)) isRight = true
        return isRight
      },
      messageOf,
      answer: byStatus
    },
    options
  )
}

const HEADER = "zitadel-signature"

/** Parses `t=` with the seconds and a `v1=` signature for each key, separated by commas. */
const signed = (header: string) => {
  const pairs = header.split(",", 1 + Hmac.MOST_SIGNATURES).map((pair) => pair.trim())
  return {
    timestamp: pairs.find((pair) => pair.startsWith("t="))?.slice(2) ?? "",
    signatures: pairs.filter((pair) => /^v1=[0-9a-f]{64}$/i.test(pair)).map((pair) => Hmac.fromHex(pair.slice(3)))
  }
}

const NANOSECONDS = 1_000_000_000

const messageOf = (payload: unknown): Message | null => {
  const to = textOf(payload, "contextInfo", "recipientPhoneNumber")
  if (to === null) return null
  const args = fieldOf(payload, "args")
  const expiry = fieldOf(args, "expiry")
  return {
    to: Recipients.written(to),
    type: textOf(payload, "contextInfo", "eventType") ?? "sms",
    // Versions spell the field differently: its name is derived from Go's.
    code: textOf(args, "code") ?? textOf(args, "oTP") ?? textOf(args, "otp"),
    text: textOf(payload, "templateData", "text"),
    user: textOf(args, "preferredLoginName"),
    locale: null,
    clientIp: null,
    ttl: typeof expiry === "number" && expiry > 0 ? expiry / NANOSECONDS : null
  }
}
