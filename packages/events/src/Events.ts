/**
 * The events of a service: what sends them to handlers and webhooks, and what waits.
 */
export { inWords, isTaken } from "./internal/Answer.ts"
export { measure as measureBacklog } from "./internal/Backlog.ts"
export { Descriptions } from "./internal/Described.ts"
export { Dispatcher, layer as dispatcherLayer } from "./internal/Dispatcher.ts"
export { layer as endpointsLayer } from "./internal/Endpoints.ts"
export { type Handled, type Handler, Handlers, layer as handlersLayer } from "./internal/Handlers.ts"
export { layer as watchingLayer } from "./internal/Watching.ts"
export { Observer, type Posted } from "./internal/WebhookDelivery.ts"
export {
  type Options as WebhookSenderOptions,
  type WebhookAnswer,
  WebhookSender,
  make as makeWebhookSender
} from "./internal/WebhookSender.ts"
