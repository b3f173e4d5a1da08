/**
 * Requests and responses of `node:http`, for the hosts that are made on it.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import type { Readable } from "node:stream"
import { type HostBody, type HostRequest, type HostResponse, absent, bytes, tooLarge, unreadable } from "./Host.ts"

// To import the module would load the HTTP client behind its getters too, for 25 ms of every start.
const { STATUS_CODES } = process.getBuiltinModule("node:http")

/** A request's target as a path. A proxy's form, `http://host/path`, must be understood too (RFC 9112 §3.2.2). */
export const pathOf = (target: string): string =>
  target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "")

/** The same behind a prefix, which may have parameters: `/tenants/:tenant/v1`. */
export const pathBehind = (prefix: string): ((target: string) => string) => {
  const segments = prefix.replace(/\/+$/, "").split("/").length - 1
  const behind = new RegExp(`^(?:/[^/?]*){${segments}}`)
  return (target) => {
    const path = pathOf(target).replace(behind, "")
    return path.startsWith("/") ? path : `/${path}`
  }
}

/** Calls back when a response is closed: once it is written, or its client has gone. */
export const closing =
  (response: ServerResponse): NonNullable<HostRequest["whenGone"]> =>
  (gone) =>
    void response.once("close", gone)

/** Reads a request's body. Resolves to null when the client went away before it had said everything. */
export const readBody = (request: IncomingMessage, maxBytes: number): Promise<HostBody | null> =>
  hasBody(request.headers) ? readStream(request, request.headers, maxBytes) : Promise.resolve(absent)

const hasBody = ({ "content-length": length, "transfer-encoding": encoding }: IncomingHttpHeaders): boolean =>
  encoding !== undefined || (length !== undefined && length !== "0")

/** The same for a host that knows that there is a body, and may have put a stream of its own before it. */
export const readStream = (
  stream: Readable,
  { "content-length": length }: IncomingHttpHeaders,
  maxBytes: number
): Promise<HostBody | null> => {
  // Read already, and not kept.
  if (stream.readableEnded) return Promise.resolve(unreadable)
  if (stream.destroyed) return Promise.resolve(null)
  if (Number(length) > maxBytes) return Promise.resolve(tooLarge)
  return new Promise((resolve) => {
    const chunks: Array<Buffer> = []
    let size = 0
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) return chunks.push(chunk)
      stream.pause().removeAllListeners("data")
      resolve(tooLarge)
    })
    stream.on("end", () => resolve(bytes(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))))
    stream.on("error", () => resolve(null))
    stream.on("close", () => resolve(null))
  })
}

/** Words for statuses that come from SIP and that HTTP has none for (RFC 3261 §21). */
const reasons: Readonly<Record<number, string>> = {
  480: "Temporarily Unavailable",
  486: "Busy Here",
  603: "Decline"
}

/** The words beside a status. */
export const reasonOf = (status: number): string => reasons[status] ?? STATUS_CODES[status] ?? "unknown"

/** In milliseconds: how long a client that is still sending may take to read the answer. */
const LINGER = 1_000

/**
 * Writes an answer.
 *
 * @param unread the request's body was not read to its end
 */
export const writeAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: HostResponse,
  unread: boolean
): void => {
  // The client may be gone, or the host may have stopped waiting; the request was carried out all the same.
  if (response.destroyed || response.headersSent) return
  const { status, body } = answer
  const headers = status === 204 ? answer.headers : { ...answer.headers, "content-length": sizeOf(body) }
  const reason = reasonOf(status)
  if (!unread) {
    response.writeHead(status, reason, headers).end(body ?? undefined)
    return
  }
  // To close at once would reset the connection under the client's writes, and it would not see the answer.
  response.shouldKeepAlive = false
  response.writeHead(status, reason, headers).write(body ?? "")
  setTimeout(() => {
    // Listeners for the end of the response run before the connection closes.
    response.end()
    setImmediate(() => request.destroy())
  }, LINGER).unref()
}

const sizeOf = (body: HostResponse["body"]): number => (body === null ? 0 : Buffer.byteLength(body))
