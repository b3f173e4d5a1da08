/**
 * Watchword behind every host that speaks fetch: Bun, Deno, Hono, Next.
 */
export { type FetchHandler, type Options, watchword } from "./watchword.ts"
