import { copyOf, verify } from "#hmac"
import { type CallbackHeaders, check, decoder, headerOf } from "./request.ts"
import type { RawBody } from "./signature.ts"
import { webhookKey } from "./webhookKey.ts"
import { WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP, hexOf, lineOf } from "./webhookSignature.ts"

/** An event of a Watchword service: what happened, when (ISO 8601 in UTC), and to what. */
export interface WebhookEvent {
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface WebhookVerifyOptions {
  /** The secret of the endpoint, `whsec_…`. */
  readonly secret: string
  /** The clock, in milliseconds since the epoch; `Date.now` by default. */
  readonly now?: (() => number) | undefined
  /** How many seconds the timestamp may be away from now, in either direction; 300 by default. */
  readonly toleranceSeconds?: number | undefined
}

/**
 * Verifies a webhook that is signed by the Standard Webhooks specification, and gives its event. The body has to be the
 * raw one: it is parsed only after the signature has been found right. An event may come twice, with the same
 * `webhook-id`.
 *
 * Rejects with a `CallbackSignatureError`, whose `code` says why; and with a `TypeError` when the secret is not of
 * its form.
 *
 * @example
 * ```ts
 * import { signWebhook, verifyWebhook } from "@watchword/callback-signature/webhook"
 *
 * const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
 * const body = '{"type":"verification.approved","timestamp":"2027-01-31T12:00:00.000Z","data":{"version":2}}'
 * const event = await verifyWebhook(body, await signWebhook(body, { secrets: [secret], id: "evt_1" }), { secret })
 * console.log(event.type) // verification.approved
 * ```
 */
export const verifyWebhook = async (
  rawBody: RawBody,
  headers: CallbackHeaders,
  { now = Date.now, secret, toleranceSeconds = 300 }: WebhookVerifyOptions
): Promise<WebhookEvent> => {
  const key = await webhookKey(secret)
  const id = headerOf(headers, WEBHOOK_ID)
  const timestamp = headerOf(headers, WEBHOOK_TIMESTAMP)
  const signatures = headerOf(headers, WEBHOOK_SIGNATURE)
  check(id && timestamp && signatures, "MISSING_HEADER")
  check(!/\D/.test(timestamp), "INVALID_TIMESTAMP")
  // A clock or a tolerance that is not a number lets nothing through.
  check(Math.abs(Math.floor(now() / 1000) - +timestamp) <= toleranceSeconds, "EXPIRED_TIMESTAMP")

  const body = copyOf(rawBody)
  // What is signed before the body is written as ASCII.
  check(/^[\x21-\x7e]+$/.test(id), "INVALID_SIGNATURE")
  let isRight = false
  for (const entry of signatures.split(" ", MOST_SIGNATURES)) {
    const hex = entry.startsWith("v1,") ? hexOf(entry.slice(3)) : null
    if (hex !== null && (await verify(key, hex, lineOf(id, timestamp), body))) isRight = true
  }
  check(isRight, "INVALID_SIGNATURE")

  let event: WebhookEvent | null | undefined
  try {
    event = JSON.parse(decoder.decode(body))
  } catch {
    // Said below.
  }
  check(typeof event?.type === "string" && typeof event.timestamp === "string", "INVALID_BODY")
  return event
}

/** Two while a secret is replaced; and more only of those who try. */
const MOST_SIGNATURES = 8
