/**
 * The basis for interfaces over HTTP: a request and its id, routes, bodies and their limits, streams of events,
 * addresses of clients, files, failures and an end in order.
 */
export { ApiRequest, headerOf } from "./ApiRequest.ts"
export * as Assets from "./Assets.ts"
export { type Asset, sent } from "./Assets.ts"
export * as Bodies from "./Bodies.ts"
export * as ClientAddresses from "./Clients.ts"
export { type Clients } from "./Clients.ts"
export * as FrontPage from "./FrontPage.ts"
export * as Drain from "./Drain.ts"
export { Entrance } from "./Entrance.ts"
export * as EventStream from "./EventStream.ts"
export { NO_STORE, envelope, jsonResponse, noEndpoint, respond, stopping } from "./Failures.ts"
export { wrongMethod } from "./NoRoute.ts"
export * as Payload from "./Payload.ts"
export { type Route, router } from "./Router.ts"
