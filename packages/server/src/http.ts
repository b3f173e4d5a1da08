/**
 * What interfaces over HTTP stand on: a request and its id, bodies and their limits, addresses of clients, files, failures and an end in order.
 */
export { ApiRequest, headerOf } from "./internal/ApiRequest.ts"
export * as Assets from "./internal/Assets.ts"
export { type Asset, sent } from "./internal/Assets.ts"
export * as Bodies from "./internal/Bodies.ts"
export * as ClientAddresses from "./internal/Clients.ts"
export { type Clients } from "./internal/Clients.ts"
export * as Drain from "./internal/Drain.ts"
export { NO_STORE, envelope, jsonResponse, noEndpoint, respond, stopping } from "./internal/Failures.ts"
export { wrongMethod } from "./internal/NoRoute.ts"
export * as Payload from "./internal/Payload.ts"
