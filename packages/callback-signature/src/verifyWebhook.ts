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

/** An event of a list, with the id that it has in every list it comes in. */
export interface ListedWebhookEvent extends WebhookEvent {
  readonly id: string
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
  options: WebhookVerifyOptions
): Promise<WebhookEvent> => {
  const event = await contentOf(rawBody, headers, options)
  check(isEvent(event), "INVALID_BODY")
  return event
}

/**
 * Verifies a webhook whose endpoint takes lists of events, and gives its events. Each has an `id`, which is the same
 * however often it comes and in whatever list; `webhook-id` is of the list, and another one each time.
 *
 * Rejects as {@link verifyWebhook} does.
 *
 * @example
 * ```ts
 * import { signWebhook, verifyWebhookList } from "@watchword/callback-signature/webhook"
 *
 * const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
 * const body = '[{"id":"evt_1","type":"webhook.test","timestamp":"2027-01-31T12:00:00.000Z","data":{"version":2}}]'
 * const events = await verifyWebhookList(body, await signWebhook(body, { secrets: [secret], id: "bat_1" }), { secret })
 * console.log(events.map(({ id }) => id)) // [ "evt_1" ]
 * ```
 */
export const verifyWebhookList = async (
  rawBody: RawBody,
  headers: CallbackHeaders,
  options: WebhookVerifyOptions
): Promise<ReadonlyArray<ListedWebhookEvent>> => {
  const events = await contentOf(rawBody, headers, options)
  check(Array.isArray(events) && events.every(isListed), "INVALID_BODY")
  return events
}

const isEvent = (content: unknown): content is WebhookEvent => {
  const event: Partial<WebhookEvent> | null = content ?? null
  return typeof event?.type === "string" && typeof event.timestamp === "string"
}

const isListed = (content: unknown): content is ListedWebhookEvent =>
  isEvent(content) && "id" in content && typeof content.id === "string"

/** Parses a body whose signature was valid; undefined if it is not JSON. */
const contentOf = async (
  rawBody: RawBody,
  headers: CallbackHeaders,
  { now = Date.now, secret, toleranceSeconds = 300 }: WebhookVerifyOptions
): Promise<unknown> => {
  const key = await webhookKey(secret)
  const id = headerOf(headers, WEBHOOK_ID)
  const timestamp = headerOf(headers, WEBHOOK_TIMESTAMP)
  const signatures = headerOf(headers, WEBHOOK_SIGNATURE)
  check(id && timestamp && signatures, "MISSING_HEADER")
  check(!/\D/.test(timestamp), "INVALID_TIMESTAMP")
  // A clock or a tolerance that is not a number lets nothing through.
  check(Math.abs(Math.floor(now() / 1000) - +timestamp) <= toleranceSeconds, "EXPIRED_TIMESTAMP")

  const body = copyOf(rawBody)
  // The part before the body is signed as ASCII.
  check(/^[\x21-\x7e]+$/.test(id), "INVALID_SIGNATURE")
  let isRight = false
  for (const entry of signatures.split(" ", MOST_SIGNATURES)) {
    const hex = entry.startsWith("v1,") ? hexOf(entry.slice(3)) : null
    if (hex !== null && (await verify(key, hex, lineOf(id, timestamp), body))) isRight = true
  }
  check(isRight, "INVALID_SIGNATURE")

  try {
    return JSON.parse(decoder.decode(body))
  } catch {
    return undefined
  }
}

/** There are two while a secret is being replaced; only an attacker sends more. */
const MOST_SIGNATURES = 8
