/**
 * The store on Cloudflare D1.
 */
export { d1 } from "./D1Store.ts"
export * as D1Store from "./D1Store.ts"
export type { D1Database, D1Result, D1Statement } from "./D1.ts"
export { migrate } from "./migrate.ts"
