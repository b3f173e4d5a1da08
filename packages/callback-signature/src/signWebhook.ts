import { copyOf, sign } from "#hmac"
import type { RawBody } from "./signature.ts"
import { webhookKey } from "./webhookKey.ts"
import { WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP, base64Of, lineOf } from "./webhookSignature.ts"

export interface WebhookSignOptions {
  /** The secrets of the endpoint, each `whsec_` and base 64: two while one replaces the other. */
  readonly secrets: ReadonlyArray<string>
  /** The id of the event, which is the same for every attempt to deliver it: ASCII without dots and spaces. */
  readonly id: string
  /** Unix seconds of the attempt; now by default. */
  readonly timestamp?: number | undefined
}

/** The three headers of a webhook. */
export type WebhookHeaders = {
  readonly [WEBHOOK_ID]: string
  readonly [WEBHOOK_TIMESTAMP]: string
  readonly [WEBHOOK_SIGNATURE]: string
}

/**
 * Signs a webhook by the Standard Webhooks specification, once with each secret. Rejects with a `TypeError` when a
 * secret or the id is not of its form.
 *
 * @example
 * ```ts
 * import { signWebhook } from "@watchword/callback-signature/webhook"
 *
 * const secrets = ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"]
 * const headers = await signWebhook('{"type":"ping"}', { secrets, id: "msg_1", timestamp: 1_700_000_000 })
 * console.log(headers["webhook-signature"]) // v1,…
 * ```
 */
export const signWebhook = async (
  rawBody: RawBody,
  { id, secrets, timestamp = Math.floor(Date.now() / 1000) }: WebhookSignOptions
): Promise<WebhookHeaders> => {
  // A dot would let parts of the id pass for a timestamp.
  if (!/^[\x21-\x2d\x2f-\x7e]+$/.test(id)) throw new TypeError("the id must be ASCII without dots and spaces")
  if (secrets.length === 0) throw new TypeError("no secret")
  const body = copyOf(rawBody)
  const line = lineOf(id, `${timestamp}`)
  const signatures = await Promise.all(
    secrets.map(async (secret) => `v1,${base64Of(await sign(await webhookKey(secret), line, body))}`)
  )
  return { [WEBHOOK_ID]: id, [WEBHOOK_TIMESTAMP]: `${timestamp}`, [WEBHOOK_SIGNATURE]: signatures.join(" ") }
}
