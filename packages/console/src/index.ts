/**
 * Pages in the browser, as files that any host serves below one path. All of their addresses are relative, so a page
 * works under any prefix that ends in a slash.
 */
import { type Asset, headers } from "./internal/Asset.ts"
import { files as consoleFiles } from "./internal/generated/console.ts"
import { files as handsetFiles } from "./internal/generated/handset.ts"

export type { Asset } from "./internal/Asset.ts"

/** A page: its files by their names, and the headers that each is served with. */
export interface Page {
  readonly files: ReadonlyMap<string, Asset>
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The console, in which operators watch a service and act on it. The page calls the operators' API under `operator/v1/`
 * next to it.
 *
 * @example
 * ```ts
 * import { consolePage } from "@watchword/console"
 * import { createWatchword, memory, watchwordConsole } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const anna = { name: "anna", role: "admin" } as const
 * const ops = watchwordConsole(service, {
 *   authorize: (request) => (request.headers.get("x-my-session") === "anna" ? anna : null),
 *   page: consolePage
 * })
 * const answer = await ops.fetch(new Request("https://example.com/ops/"))
 * console.log(answer.headers.get("content-type")) // text/html; charset=utf-8
 * await service.dispose()
 * ```
 */
export const consolePage: Page = { files: consoleFiles, headers }

/**
 * The handset: the sandbox's phones on the screen. The page requests `session`, next to it, for credentials and for the
 * path of the interface; without credentials it asks its user for a sandbox key.
 *
 * @example
 * ```ts
 * import { handsetPage } from "@watchword/console"
 *
 * const file = handsetPage.files.get("index.html")
 * console.log(file?.type) // text/html; charset=utf-8
 * ```
 */
export const handsetPage: Page = { files: handsetFiles, headers }
