/**
 * The events of a service: what sends them to handlers and webhooks, and what waits.
 */
export * as Backlog from "./internal/Backlog.ts"
export { Descriptions } from "./internal/Described.ts"
export * as Dispatching from "./internal/Dispatcher.ts"
export { Dispatcher } from "./internal/Dispatcher.ts"
export * as Endpoints from "./internal/Endpoints.ts"
export * as Handling from "./internal/Handlers.ts"
export { type Handled, type Handler, Handlers } from "./internal/Handlers.ts"
export * as Watching from "./internal/Watching.ts"
export { Observer, type Posted } from "./internal/WebhookDelivery.ts"
export * as WebhookSender from "./internal/WebhookSender.ts"
