/**
 * The interface as a request listener for `node:http`.
 */
import { type Mounted, checkMounted } from "@watchword/server/Host"
import { bodyOf, closing, isUnread, pathOf, writeAnswer } from "@watchword/server/node"
import type { IncomingMessage, ServerResponse } from "node:http"

export interface Options {
  /** Prefix of every endpoint, for example `/v1`. Empty by default. */
  readonly basePath?: string
}

/** A request listener of `http.createServer`. A request outside the base path goes to `next`, or is answered 404. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void

/**
 * Makes a listener from a running service, for a server of its own or next to other routes: `listener(request,
 * response, next)` passes requests outside the base path to `next`. A body is read once its request is authorized. A
 * client that hangs up ends its lists; sends and other changes still finish.
 *
 * @example
 * ```ts
 * import { watchword } from "@watchword/node"
 * import { createServer } from "node:http"
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * createServer(watchword(service, { basePath: "/v1" })).listen(8080)
 * ```
 */
export const watchword = (service: Mounted, options: Options = {}): Listener => {
  checkMounted(service, "a service of createWatchword")
  const { handle } = service
  const basePath = (options.basePath ?? "").replace(/\/+$/, "")

  const answer = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const { method = "GET", headers } = request
    const remoteAddress = request.socket.remoteAddress ?? null
    const whenGone = closing(response)
    const answered = await handle({ method, path, headers, body: bodyOf(request), remoteAddress, whenGone })
    writeAnswer(request, response, answered, await isUnread(request))
  }

  return (request, response, next) => {
    const path = within(basePath, request.url ?? "/")
    if (path === null && next !== undefined) return next()
    // No endpoint is at the root, and the handler's answer says so.
    answer(request, response, path ?? "/").catch(() => response.destroy())
  }
}

/** The part of a request's target after the base path; null if the target is outside it. */
const within = (basePath: string, target: string): string | null => {
  const url = pathOf(target)
  if (!url.startsWith(basePath)) return null
  const path = url.slice(basePath.length)
  return path === "" || path.startsWith("?") ? `/${path}` : path.startsWith("/") ? path : null
}
