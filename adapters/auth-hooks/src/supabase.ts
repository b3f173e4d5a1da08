/**
 * The receiver of the "Send SMS" hook of Supabase Auth, which signs its requests by Standard Webhooks.
 *
 * Source: https://supabase.com/docs/guides/auth/auth-hooks/send-sms-hook, and the server itself, supabase/auth. It
 * waits for five seconds in all. A repeat has a `webhook-id` of its own, so that repeats are known by user, number and
 * code.
 */
import { type AuthHook, type HookOptions, json, make, required } from "./internal/AuthHook.ts"
import { headerOf, textOf } from "./internal/Fields.ts"
import * as Hmac from "./internal/Hmac.ts"
import * as Recipients from "./internal/Recipients.ts"
import type { Message, Outcome } from "./internal/Sending.ts"

export type { AuthHook, HookOptions } from "./internal/AuthHook.ts"

export type SupabaseOptions<Caller> = HookOptions<Caller> & {
  /** The hook's secret, `v1,whsec_…`; several while one replaces another, in a list or with `|` between them. */
  readonly secret: string | ReadonlyArray<string>
}

/**
 * Makes the receiver. Throws a `TypeError` when a secret is not of its form.
 *
 * Refusals are in the body of an answer with status 200, `{ error: { http_code, message } }`, which Supabase Auth
 * passes on to the app; of any other status it says only that the hook has failed.
 *
 * @example
 * ```ts no_run
 * import { supabase } from "@watchword/auth-hooks/supabase"
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const { account_id: caller } = await service.operator.account.create({ name: "Acme", sms_sender: "Acme" })
 * const hook = supabase({ service, caller, secret: "v1,whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" })
 * export const POST = hook.fetch // in Next; `Deno.serve(hook.fetch)`; Express: `app.use("/sms", watchword(hook))`
 * ```
 */
export const supabase = <Caller>(options: SupabaseOptions<Caller>): AuthHook => {
  const keys = secretsOf(required(options, "secret", "the Supabase hook needs its secret, v1,whsec_ and base 64")).map(
    keyOf
  )
  const [hmac] = keys
  if (hmac === undefined) throw new TypeError(FORM)
  return make(
    {
      name: "supabase",
      hmac,
      isExpected: (headers, now) =>
        headerOf(headers, ID) !== null &&
        headerOf(headers, SIGNATURE) !== null &&
        Hmac.isRecent(headerOf(headers, TIMESTAMP) ?? "", now),
      isSigned: async (headers, bytes) => {
        const line = `${headerOf(headers, ID)}.${headerOf(headers, TIMESTAMP)}.`
        let isRight = false
        for (const signature of signaturesIn(headerOf(headers, SIGNATURE) ?? "")) {
          for (const key of keys) if (await key.verify(signature, line, bytes)) isRight = true
        }
        return isRight
      },
      messageOf,
      answer
    },
    options
  )
}

const ID = "webhook-id"
const TIMESTAMP = "webhook-timestamp"
const SIGNATURE = "webhook-signature"

const secretsOf = (secret: SupabaseOptions<unknown>["secret"]): ReadonlyArray<string> =>
  typeof secret === "string" ? secret.split("|") : secret

const FORM = "the secret of the Supabase hook must be v1,whsec_ and base 64"

const keyOf = (secret: string): Hmac.Hmac => {
  const [, base64 = ""] = /^(?:v1,)?whsec_(.+)$/.exec(secret.trim()) ?? []
  const bytes = Hmac.fromBase64(base64)
  if (bytes === null || bytes.length === 0) throw new TypeError(FORM)
  return Hmac.make(bytes)
}

/** The list is separated by spaces, before which Supabase Auth writes commas. */
const signaturesIn = (list: string): ReadonlyArray<Uint8Array<ArrayBuffer>> =>
  [...list.matchAll(/v1,([A-Za-z0-9+/]{43}=)/g)]
    .slice(0, Hmac.MOST_SIGNATURES)
    .flatMap(([, base64 = ""]) => Hmac.fromBase64(base64) ?? [])

const messageOf = (payload: unknown): Message | null => {
  // Of a change of number, `user.phone` is the old one.
  const phone =
    textOf(payload, "sms", "phone") ?? textOf(payload, "user", "phone") ?? textOf(payload, "user", "new_phone")
  if (phone === null) return null
  return {
    // Numbers are stored without the sign.
    to: Recipients.digits(phone),
    type: textOf(payload, "sms", "sms_type") ?? "sms",
    code: textOf(payload, "sms", "otp"),
    text: null,
    user: textOf(payload, "user", "id"),
    locale: null,
    clientIp: textOf(payload, "metadata", "ip_address"),
    ttl: null
  }
}

const answer = (outcome: Outcome) =>
  json(200, outcome._tag === "Sent" ? {} : { error: { http_code: outcome.status, message: outcome.message } })
