/**
 * The handler under Node: `node:http`, Express, and Fastify with its raw request.
 */

/** What is read of a request of Node, or of a framework on it. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Express keeps the path here that a router has shortened. */
  readonly originalUrl?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean | undefined }
  /** The address that Express finds behind the proxies that it trusts. */
  readonly ip?: string | undefined
  /** What a body parser has read already. */
  readonly body?: unknown
}

export interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string | Array<string>): unknown
  end(body?: Uint8Array): unknown
}

const addresses = new WeakMap<Request, string>()

/** The address of the device that a request came from, where a listener knows it. */
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
    // A body that breaks off, or a URL that is none: there is no request to answer.
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

/** A longer body is none of the form's, which says so. */
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

/** A body that a parser has read, as it was sent. */
const parsedAgain = (body: object, headers: Headers): string => {
  headers.delete("content-length")
  if (!headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")) return JSON.stringify(body)
  return new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString()
}
