/**
 * The service in a Cloudflare Worker.
 */
export { type FetchHandler, type Options as FetchOptions, fetchHandler } from "./fetch.ts"
export { type ExecutionContext, type HostOptions, type Options, type Worker, watchword } from "./watchword.ts"
