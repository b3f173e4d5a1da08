/**
 * A complete server: it listens, limits clients, and shuts down without cutting off any request.
 */
import type { HandlePromise, Mounted } from "@watchword/server/Host"
import { badRequest } from "@watchword/server/Server"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import { Connections } from "./connections.ts"
import { type Options as ListenerOptions, watchword } from "./watchword.ts"

// Importing the module would also load the HTTP client behind its getters, for 25 ms of every start.
const { createServer } = process.getBuiltinModule("node:http")

export interface Options extends ListenerOptions {
  /** Answers everything outside the base path, for example `/healthz`. */
  readonly operations?: HandlePromise
  /** 127.0.0.1 by default. */
  readonly host?: string
  /** 8080 by default; 0 for any free port. */
  readonly port?: number
  /**
   * At the limit a new connection replaces the longest-idle connection, or is closed at once if all are in use. Either
   * way `server` emits `drop`. By default only the number of file descriptors limits them.
   */
  readonly maxConnections?: number
  /** How long `close` waits for requests in flight, in milliseconds; 65,000 by default, longer than any call rings. */
  readonly drainTimeout?: number
}

export interface Serving {
  readonly server: Server
  readonly host: string
  readonly port: number
  /** Accepts no more connections, finishes the requests in flight, then resolves. */
  readonly close: () => Promise<void>
}

/** In milliseconds. A slower client is cut off, so that it cannot hold a connection open for nothing. */
const HEADERS_TIMEOUT = 10_000
const REQUEST_TIMEOUT = 30_000
const IDLE_TIMEOUT = 120_000
const KEEP_ALIVE_TIMEOUT = 65_000
const CHECK_EVERY = 2_000

const MAX_HEADER_BYTES = 16_384

/**
 * Starts listening. Rejects if the address is not available.
 *
 * @example
 * ```ts
 * import { serve } from "@watchword/node"
 * import { createWatchword, memory } from "watchword"
 *
 * const service = await createWatchword({ store: memory() })
 * const serving = await serve(service, { basePath: "/v1", port: 8080 })
 * process.once("SIGTERM", () => serving.close().then(service.dispose))
 * ```
 */
export const serve = async (service: Mounted, options: Options = {}): Promise<Serving> => {
  const { host = "127.0.0.1", port = 8080, drainTimeout = 65_000, maxConnections = Infinity, operations } = options
  const listener = watchword(service, options)
  const others = operations === undefined ? undefined : watchword({ handle: operations })
  const connections = new Connections()
  let draining = false

  // One listener for all requests: a closure for each request would be garbage for each request.
  function answered(this: ServerResponse): void {
    connections.end(this)
  }

  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node's own answer would have no envelope.
      requireHostHeader: false,
      connectionsCheckingInterval: CHECK_EVERY
    },
    (request, response) => {
      connections.begin(response)
      response.on("close", answered)
      if (draining) response.shouldKeepAlive = false
      if (isHostless(request)) hostless(request, response)
      else listener(request, response, others && (() => others(request, response)))
    }
  )
  server.on("connection", (socket) => {
    connections.add(socket)
    // Keeps one place free, because at the limit Node closes a new connection before this listener sees it.
    if (connections.size >= maxConnections && connections.makeRoom(socket)) server.emit("drop")
  })
  server.timeout = IDLE_TIMEOUT
  // With a limit Node drops the last headers, which is where proxies write the client's address.
  server.maxHeadersCount = 0
  if (maxConnections !== Infinity) server.maxConnections = maxConnections
  server.on("clientError", refuse)
  // A client that sends `Expect: 100-continue` is asked for its body once the handler reads it; a request refused
  // earlier never sends it.
  server.on("checkContinue", (request, response: ServerResponse) => {
    request.once("resume", () => {
      if (!response.headersSent) response.writeContinue()
    })
    server.emit("request", request, response)
  })

  const close = () =>
    new Promise<void>((resolve) => {
      draining = true
      const limit = setTimeout(() => server.closeAllConnections(), drainTimeout)
      server.close(() => {
        clearTimeout(limit)
        resolve()
      })
      connections.leave()
    })

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
  return { server, host, port: portOf(server.address(), port), close }
}

// HTTP/1.0 does not require the header (RFC 9112 §3.2).
const isHostless = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host === undefined && httpVersion === "1.1"

const hostless = watchword({
  handle: (request) => Promise.resolve(badRequest(request, "The request has no header Host."))
})

const portOf = (address: AddressInfo | string | null, otherwise: number): number =>
  address === null || typeof address === "string" ? otherwise : address.port

// The parser rejects bytes that are not HTTP: there is no request, and no id to answer with.
const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const late = error.code === "ERR_HTTP_REQUEST_TIMEOUT"
  const message = late
    ? "The request took too long to arrive."
    : "The request is not HTTP, or its headers are too large."
  const body = JSON.stringify({ error: "BAD_REQUEST", message, issues: [] })
  socket.end(
    "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: application/json\r\n" +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}
