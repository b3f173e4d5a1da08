/**
 * What a gateway calls back to: an endpoint of ours that needs the bytes of the body as they came.
 */
import type * as Effect from "effect/Effect"

export interface WebhookRequest {
  readonly method: "GET" | "POST"
  /** The first value of each parameter. */
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly rawBody: Uint8Array
}

export interface WebhookResponse {
  readonly status: number
  /** Plain text. */
  readonly body: string
}

/** Answers 200 when what the gateway says has been handled, and anything else to have it said again. */
export type Webhook = (request: WebhookRequest) => Effect.Effect<WebhookResponse>

export const respond = (status: number, body = ""): WebhookResponse => ({ status, body })
