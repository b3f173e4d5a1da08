/**
 * Verify and sign webhooks in the form of Standard Webhooks, in Node, Workers, Bun, Deno and browsers: events from a
 * Watchword service, and from any service that follows Standard Webhooks.
 */
export { CallbackSignatureError, type CallbackSignatureErrorCode } from "./CallbackSignatureError.ts"
export type { CallbackHeaders } from "./request.ts"
export type { RawBody } from "./signature.ts"
export { type WebhookHeaders, type WebhookSignOptions, signWebhook } from "./signWebhook.ts"
export {
  type ListedWebhookEvent,
  type WebhookEvent,
  type WebhookVerifyOptions,
  verifyWebhook,
  verifyWebhookList
} from "./verifyWebhook.ts"
