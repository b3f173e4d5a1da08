/**
 * The WhatsApp Cloud API's webhook: who may subscribe to it, and whether a notification is genuine.
 *
 * Source: the Graph API, "Webhooks: verification requests, event notifications".
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/**
 * Why a notification is not taken:
 * - `INVALID_SIGNATURE`: it is missing, or another secret made it, or the content was changed on the way. Answer 401.
 * - `INVALID_BODY`: it is signed and no JSON. Answer 400.
 */
export class WebhookError extends Schema.TaggedError<WebhookError>()("WebhookError", {
  code: Schema.Literals(["INVALID_SIGNATURE", "INVALID_BODY"])
}) {}

const encoder = new TextEncoder()
const HMAC: HmacImportParams = { name: "HMAC", hash: "SHA-256" }
const SIGNATURE = /^sha256=([\da-f]{64})$/i

/**
 * Whether `X-Hub-Signature-256` is the HMAC-SHA256 of the raw body under the app's secret. Constant time.
 */
export const isGenuine = (
  rawBody: Uint8Array<ArrayBuffer>,
  signature: string | undefined,
  appSecret: Redacted.Redacted
): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const hex = SIGNATURE.exec(signature ?? "")?.[1]
    const secret = encoder.encode(Redacted.value(appSecret))
    // Everybody can sign with an empty secret.
    if (hex === undefined || secret.length === 0) return false
    const key = await crypto.subtle.importKey("raw", secret, HMAC, false, ["verify"])
    return crypto.subtle.verify("HMAC", key, fromHex(hex), rawBody)
  })

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16))

/**
 * The answer to a request to subscribe, which has the query parameters `hub.mode`, `hub.verify_token` and
 * `hub.challenge`: the challenge when the token is ours, else none, which is a 403.
 */
export const subscribe = (
  query: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>,
  verifyToken: Redacted.Redacted
): Effect.Effect<Option.Option<string>> => {
  const { "hub.mode": mode, "hub.verify_token": token, "hub.challenge": challenge } = query
  if (mode !== "subscribe" || typeof token !== "string" || typeof challenge !== "string") return Effect.succeedNone
  return Effect.map(isSame(token, Redacted.value(verifyToken)), (same) =>
    same ? Option.some(challenge) : Option.none()
  )
}

/** In a time that says nothing about where they differ. Nothing is the same as an empty text. */
const isSame = (given: string, expected: string): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const key = await crypto.subtle.generateKey({ ...HMAC, length: 256 }, false, ["sign", "verify"])
    const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(expected))
    return (await crypto.subtle.verify("HMAC", key, signature, encoder.encode(given))) && expected !== ""
  })
