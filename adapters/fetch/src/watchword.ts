/**
 * The interface as a function from Request to Response, for every host that speaks fetch: Bun, Deno, Hono, Next.
 */
import { type HostResponse, type Mounted, isStream } from "@watchword/server/Host"
import { bodyOf, streamOf } from "@watchword/server/web"

export interface Options {
  /** Prefix of every endpoint, for example `/v1`. None by default. */
  readonly basePath?: string
  /**
   * The address that a request comes from. Null by default: then keys that are only allowed from some addresses
   * cannot be used. Take it from a header only where all requests pass the proxy that writes it.
   */
  readonly remoteAddress?: (request: Request) => string | null
}

/** A request outside the base path is answered 404. */
export type FetchHandler = (request: Request) => Promise<Response>

/**
 * Makes a handler of a running service. A body is read once its request is authorized. A client that hangs up does not
 * stop its sends.
 *
 * A Response has no status beyond 599: 603 leaves as 486 with the header `x-status: 603`, its body as it is.
 *
 * @example
 * ```ts
 * import { watchword } from "@watchword/fetch"
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const fetch = watchword(service, { basePath: "/v1" })
 * const response = await fetch(new Request("http://localhost/v1/sms", { method: "POST" }))
 * console.log(response.status) // 401
 * await service.dispose()
 * ```
 */
export const watchword = ({ handle }: Mounted, options: Options = {}): FetchHandler => {
  const { remoteAddress = () => null } = options
  const basePath = (options.basePath ?? "").replace(/\/+$/, "")

  return async (request) => {
    // No endpoint is at the root: the handler says so in its answer.
    const path = within(basePath, request.url) ?? "/"
    return toResponse(
      await handle({
        method: request.method,
        path,
        headers: Object.fromEntries(request.headers),
        body: bodyOf(request),
        remoteAddress: remoteAddress(request)
      })
    )
  }
}

/** The path and the query behind the base path; null when that is elsewhere. */
const within = (basePath: string, url: string): string | null => {
  const start = url.indexOf("/", url.indexOf("://") + 3)
  const [target = "/"] = start < 0 ? [] : url.slice(start).split("#", 1)
  if (!target.startsWith(basePath)) return null
  const path = target.slice(basePath.length)
  return path === "" || path.startsWith("?") ? `/${path}` : path.startsWith("/") ? path : null
}

const toResponse = ({ body, headers, status }: HostResponse): Response => {
  if (status > 599)
    return new Response(contentOf(body), { status: 486, headers: { ...headers, "x-status": `${status}` } })
  // Workers would compress a body that is compressed already.
  const init = { status, headers, encodeBody: "manual" }
  return new Response(status === 204 || status === 304 ? null : contentOf(body), init)
}

const contentOf = (body: HostResponse["body"]) => {
  if (isStream(body)) return streamOf(body)
  return body instanceof Uint8Array ? new Uint8Array(body) : body
}
