/**
 * The customers' interface as a layer of a service, its health and metrics, the log of requests that it refuses and an
 * account's view of it, and the answer to a request that is not valid HTTP.
 */
export { type Operations, make } from "./internal/Operations.ts"
export { badRequest } from "./internal/Refusal.ts"
export { requests } from "./internal/refused/Requests.ts"
export { RefusedLog, layer as refusedLogLayer } from "./internal/refused/RefusedLog.ts"
export { layer } from "./internal/Server.ts"
