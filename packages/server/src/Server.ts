/**
 * The customers' interface as a layer of a service, its health and metrics, and the answer to a request that is not
 * valid HTTP.
 */
export { type Operations, make } from "./internal/Operations.ts"
export { badRequest } from "./internal/Refusal.ts"
export { layer } from "./internal/Server.ts"
