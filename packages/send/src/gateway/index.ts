/**
 * The building blocks for gateways on all channels: requests to a provider, events from it, and how operators see
 * both.
 *
 * | part | for |
 * |---|---|
 * | `Http`, `Authentication`, `Secret` | an HTTP client that rests, repeats and gives up as a gateway should, and its credentials |
 * | `RateLimiter` | the pace that a provider allows |
 * | `Webhook`, `respond`, `PublicUrl`, `callbackOf` | the endpoint that a provider posts events to, and its address |
 * | `Visit`, `visitPages` | a page for the browser of a user, and the frame of such pages |
 * | `Gateway` | the type of a gateway option |
 * | `EventHub` | delivery of events to the records without losing any |
 * | `GatewayHealth`, `Unrecognized`, `Notice`, `certificateEnd` | whether connections can be used, words of a peer that the gateway does not know, notices of a platform, the end of a peer's certificate |
 *
 * @example
 * ```ts
 * import { Authentication, Http } from "@watchword/send/gateway"
 * import * as Redacted from "effect/Redacted"
 *
 * const http = Http.make({
 *   baseUrl: "https://api.carrier.example/v1/",
 *   authentication: Authentication.bearer(Redacted.make("a token of the carrier"))
 * })
 * ```
 */
export * as Authentication from "./Authentication.ts"
export { certificateEnd } from "./certificateEnd.ts"
export { EventHub, type Handler, NotHandled } from "./EventHub.ts"
export type { Gateway } from "./Gateway.ts"
export type { GatewayHealth } from "./GatewayHealth.ts"
export * as Http from "./Http.ts"
export { type Notice, keep as keepNotice } from "./Notices.ts"
export { PublicUrl, callbackOf } from "./PublicUrl.ts"
export { RateLimiter } from "./RateLimiter.ts"
export type { Reply } from "./Reply.ts"
export { type Secret, redacted, textOf } from "./Secret.ts"
export { type Said, type Seen, Unrecognized, foreign, joined } from "./Unrecognized.ts"
export { USER_AGENT } from "./UserAgent.ts"
export { MAX_FORM_BYTES, type Visit, type VisitPath, type VisitRequest, type VisitResponse } from "./Visit.ts"
export { type VisitPage, visitPages } from "./VisitPage.ts"
export { type Webhook, type WebhookRequest, type WebhookResponse, respond } from "./Webhook.ts"
