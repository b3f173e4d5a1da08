/**
 * The console: what operators look at and what they do, as files that any host serves below one path.
 *
 * The page asks the operator's API under `operator/v1/` beside it. All of its addresses are relative, so it works under any
 * prefix that ends in a slash.
 *
 * @example
 * ```ts
 * import { console as page } from "@watchword/console/console"
 *
 * console.log(page.get("index.html")?.type) // text/html; charset=utf-8
 * ```
 */
export { type Asset, headers } from "./internal/Asset.ts"
export { files as console } from "./internal/generated/console.ts"
