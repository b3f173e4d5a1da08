/**
 * The service in a Cloudflare Worker.
 */
export { type ExecutionContext, type HostOptions, type Options, type Worker, watchword } from "./watchword.ts"
