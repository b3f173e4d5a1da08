/**
 * Watchword behind every host that speaks fetch: Bun, Deno, Hono, Next.
 */
export { type FetchHandler, type Options, fetchHandler, isWithin } from "./fetchHandler.ts"
