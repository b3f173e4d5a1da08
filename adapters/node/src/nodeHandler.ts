/**
 * The interface as a request listener of `node:http`.
 */
import {
  type HandlePromise,
  type HostBody,
  type HostResponse,
  MAX_BODY_BYTES,
  absent,
  bytes,
  tooLarge
} from "@watchword/server/Host"
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from "node:http"

export interface Options {
  /** Prefix of every endpoint, for example `/v1`. None by default. */
  readonly basePath?: string
  /** A larger body is not read to its end, and answered 400. 65,536 by default. */
  readonly maxBodyBytes?: number
}

/** What `http.createServer` takes. A request outside the base path goes to `next`, or is answered 404. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void

/**
 * Makes a listener, for a server of its own or beside other routes. A client that hangs up does not stop
 * what it has asked for.
 *
 * @example
 * ```ts
 * import { nodeHandler } from "@watchword/node"
 * import * as MemoryStore from "@watchword/store/MemoryStore"
 * import { createServer } from "node:http"
 * import { createWatchword } from "watchword"
 *
 * const { handle } = await createWatchword({ store: MemoryStore.layer })
 * const watchword = nodeHandler(handle, { basePath: "/v1" })
 * createServer((request, response) =>
 *   watchword(request, response, () => response.writeHead(404).end("not ours"))
 * ).listen(8080)
 * ```
 */
export const nodeHandler = (handle: HandlePromise, options: Options = {}): NodeHandler => {
  const { maxBodyBytes = MAX_BODY_BYTES } = options
  const basePath = (options.basePath ?? "").replace(/\/+$/, "")

  const answer = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const { method = "GET", headers } = request
    const remoteAddress = request.socket.remoteAddress ?? null
    const body = await read(request, maxBodyBytes)
    // A client that is gone before it has said everything has asked for nothing.
    if (body === null) return
    const answered = await handle({ method, path, headers, body, remoteAddress })
    write(request, response, answered, body === tooLarge)
  }

  return (request, response, next) => {
    const path = within(basePath, request.url ?? "/")
    if (path === null && next !== undefined) return next()
    // No endpoint is at the root: the handler answers that there is none.
    answer(request, response, path ?? "/").catch(() => response.destroy())
  }
}

/** The part of a request's target behind the base path; null when it is elsewhere. */
const within = (basePath: string, target: string): string | null => {
  // A proxy's form, `http://host/path`, must be understood too (RFC 9112 §3.2.2).
  const url = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "")
  if (!url.startsWith(basePath)) return null
  const path = url.slice(basePath.length)
  return path === "" || path.startsWith("?") ? `/${path}` : path.startsWith("/") ? path : null
}

/** Null when the client went away. */
const read = (request: IncomingMessage, maxBytes: number): Promise<HostBody | null> => {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers
  if (encoding === undefined && (length === undefined || length === "0")) return Promise.resolve(absent)
  if (Number(length) > maxBytes) return Promise.resolve(tooLarge)
  return new Promise((resolve) => {
    const chunks: Array<Buffer> = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) return chunks.push(chunk)
      request.pause().removeAllListeners("data")
      resolve(tooLarge)
    })
    request.on("end", () => resolve(bytes(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))))
    request.on("error", () => resolve(null))
    request.on("close", () => resolve(null))
  })
}

/** Words for statuses that come from SIP and that HTTP has none for (RFC 3261 §21). */
const reasons: Readonly<Record<number, string>> = {
  480: "Temporarily Unavailable",
  486: "Busy Here",
  603: "Decline"
}

/** In milliseconds: how long a client that is still sending may take to read the answer. */
const LINGER = 1_000

const write = (request: IncomingMessage, response: ServerResponse, answer: HostResponse, unread: boolean): void => {
  // The client may be gone by now; what it asked for has been done all the same.
  if (response.destroyed || response.writableEnded) return
  const { status, body } = answer
  const headers = status === 204 ? answer.headers : { ...answer.headers, "content-length": sizeOf(body) }
  const reason = reasons[status] ?? STATUS_CODES[status] ?? "unknown"
  if (!unread) {
    response.writeHead(status, reason, headers).end(body ?? undefined)
    return
  }
  // To close at once would reset the connection under the client's writes, and it would not see the answer.
  response.shouldKeepAlive = false
  response.writeHead(status, reason, headers).write(body ?? "")
  setTimeout(() => request.socket.destroy(), LINGER).unref()
}

const sizeOf = (body: HostResponse["body"]): number => (body === null ? 0 : Buffer.byteLength(body))
