/**
 * The handler under Node: `node:http`, Express, and Fastify with its raw request.
 */

/** A request of Node, or of a framework on Node. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Express keeps the full path here when a router shortens `url`. */
  readonly originalUrl?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean | undefined }
  /** The address that Express finds behind the proxies that it trusts. */
  readonly ip?: string | undefined
  /** The body, if a parser has already read it. */
  readonly body?: unknown
}

export interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string | Array<string>): unknown
  end(body?: Uint8Array): unknown
}

const addresses = new WeakMap<Request, string>()

/** The address of the client's device, if a listener has made the request. */
export const addressOf = (request: Request): string | undefined => addresses.get(request)

/**
 * A listener of Node for a handler on the web's `Request`: `app.all("/phone", nodeListener(form))`.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http"
 * import { nodeListener } from "@watchword/form/handler"
 *
 * const server = createServer(nodeListener(async () => new Response("Hello")))
 * server.listen(0, () => server.close())
 * ```
 */
export const nodeListener =
  (handler: (request: Request) => Promise<Response>) =>
  (incoming: NodeRequest, outgoing: NodeResponse): void =>
    void answer(handler, incoming, outgoing)

const answer = async (
  handler: (request: Request) => Promise<Response>,
  incoming: NodeRequest,
  outgoing: NodeResponse
): Promise<void> => {
  try {
    const response = await handler(await requestOf(incoming))
    outgoing.statusCode = response.status
    for (const [name, value] of response.headers) if (name !== "set-cookie") outgoing.setHeader(name, value)
    const cookies = response.headers.getSetCookie()
    if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies)
    outgoing.end(new Uint8Array(await response.arrayBuffer()))
  } catch {
    // The body was cut off, or the URL is invalid.
    outgoing.statusCode = 400
    outgoing.end()
  }
}

const requestOf = async (incoming: NodeRequest): Promise<Request> => {
  const { headers: given, ip, method = "GET", originalUrl, socket, url = "/" } = incoming
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !name.startsWith(":"))
      headers.set(name, typeof value === "string" ? value : value.join(", "))
  }
  const host = headers.get("host") ?? "localhost"
  const body = method === "GET" || method === "HEAD" ? null : await bodyOf(incoming, headers)
  const address = new URL(originalUrl ?? url, `${socket.encrypted === true ? "https" : "http"}://${host}`)
  const request = new Request(address, { method, headers, body })
  const from = ip ?? socket.remoteAddress
  if (from !== undefined) addresses.set(request, from)
  return request
}

/** The longest body to read, in characters. The handler itself accepts less. */
const MOST = 65_536

const bodyOf = async (incoming: NodeRequest, headers: Headers): Promise<string> => {
  const { body } = incoming
  if (typeof body === "string") return body
  if (typeof body === "object" && body !== null) return parsedAgain(body, headers)
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of incoming) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })
    if (text.length > MOST) throw new RangeError("the body is too long")
  }
  return text
}

/** Encodes a parsed body again. */
const parsedAgain = (body: object, headers: Headers): string => {
  headers.delete("content-length")
  if (!headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")) return JSON.stringify(body)
  return new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString()
}
