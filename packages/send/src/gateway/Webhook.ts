/**
 * An endpoint that a provider posts events to. It gets the raw bytes of the body, which the provider has signed.
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

export interface Webhook {
  /** The largest body of an event, in bytes. */
  readonly maxBodyBytes: number
  /** The headers that sign an event, in lower case. The body of a POST without one of them is not read. */
  readonly signatureHeaders: ReadonlyArray<string>
  /** Answers 200 once the event is handled; providers repeat an event after any other status. */
  readonly handle: (request: WebhookRequest) => Effect.Effect<WebhookResponse>
}

export const respond = (status: number, body = ""): WebhookResponse => ({ status, body })
