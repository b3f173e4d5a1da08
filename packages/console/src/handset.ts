/**
 * The handset: telephones of the sandbox on the screen, as files that any host serves below one path.
 *
 * The page asks `session` beside it for credentials and for the path of the interface; without credentials it asks for a sandbox
 * key. All of its addresses are relative, so it works under any prefix that ends in a slash.
 *
 * @example
 * ```ts
 * import { handset } from "@watchword/console/handset"
 *
 * const page = handset.get("index.html")
 * console.log(page?.type) // text/html; charset=utf-8
 * ```
 */
export { type Asset, headers } from "./internal/Asset.ts"
export { files as handset } from "./internal/generated/handset.ts"
