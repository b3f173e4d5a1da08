/**
 * Notifications of WhatsApp, which tests give to a gateway's webhook.
 */
import { createHmac } from "node:crypto"
import type { Service } from "@watchword/bizchat/BizchatGateway"
import { whatsAppNotification } from "@watchword/sandbox/http"
import type { WebhookResponse } from "@watchword/send/gateway"
import * as Effect from "effect/Effect"

export interface Notification {
  readonly body: Uint8Array
  readonly signature: string | undefined
}

/** A notification of statuses, and its signature. */
export const notification = (statuses: ReadonlyArray<unknown>, secret = "secret") =>
  signed(whatsAppNotification(statuses, secret).body, secret)

export const signed = (body: string | Uint8Array, secret = "secret") => ({
  body: Buffer.from(body),
  signature: `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`
})

/** Gives a notification to a gateway's webhook. */
export const receive = ({ webhook }: Service, { body, signature }: Notification): Effect.Effect<WebhookResponse> => {
  if (webhook === null) return Effect.die(new Error("the gateway has no webhook"))
  const headers = { "content-type": "application/json", "x-hub-signature-256": signature }
  return webhook.handle({ method: "POST", query: {}, headers, rawBody: body })
}

/** Asks a gateway's webhook to let the platform subscribe. */
export const subscribe = (
  { webhook }: Service,
  query: Readonly<Record<string, string>>
): Effect.Effect<WebhookResponse> => {
  if (webhook === null) return Effect.die(new Error("the gateway has no webhook"))
  return webhook.handle({ method: "GET", query, headers: {}, rawBody: new Uint8Array() })
}
