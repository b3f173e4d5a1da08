/**
 * The console: what operators look at and what they do, as files that any host serves below one path.
 *
 * The page asks the operators' API under `operator/v1/` beside it. All of its addresses are relative, so it works under any
 * prefix that ends in a slash.
 *
 * @example
 * ```ts
 * import { page } from "@watchword/console/console"
 * import * as MemoryStore from "@watchword/store/MemoryStore"
 * import { consoleHandler, createWatchword } from "watchword"
 *
 * const service = await createWatchword({ store: MemoryStore.layer })
 * const admin = { name: "anna", role: "admin" } as const
 * const ops = consoleHandler(service, {
 *   authorize: (request) => (request.headers.get("x-my-session") === "anna" ? admin : null),
 *   page
 * })
 * const answer = await ops(new Request("https://example.com/ops/"))
 * console.log(answer.headers.get("content-type")) // text/html; charset=utf-8
 * await service.dispose()
 * ```
 */
import { headers } from "./internal/Asset.ts"
import { files } from "./internal/generated/console.ts"

/** The files of the page by their names, and the headers that each is served with. */
export const page = { files, headers } as const
