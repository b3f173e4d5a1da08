/**
 * Requests and responses of `node:http`, for the hosts that are built on it.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import type { Readable } from "node:stream"
import * as timers from "node:timers"
import { type HostRequest, type HostResponse, type HostStream, type ReadBody, absent, isStream } from "../Host.ts"

// Importing the module would also load the HTTP client behind its getters, which takes 25 ms of every start.
const { STATUS_CODES } = process.getBuiltinModule("node:http")

// As they were when this module was loaded: an answer must not wait for the fake timers of a test runner.
const { setImmediate, setTimeout } = timers

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

/** A request's body, or how to read it. */
export const bodyOf = (request: IncomingMessage): HostRequest["body"] =>
  hasBody(request.headers) ? reader(request, request) : absent

const hasBody = ({ "content-length": length, "transfer-encoding": encoding }: IncomingHttpHeaders): boolean =>
  encoding !== undefined || (length !== undefined && length !== "0")

/**
 * Reads a body for a host that knows that there is a body.
 *
 * @param stream the request itself, or a stream that the host has put before it
 */
export const reader =
  (stream: Readable, request: IncomingMessage): ReadBody =>
  ({ end, fail, write }) => {
    // Read already, and not kept; or its client has gone.
    if (stream.readableEnded || stream.destroyed) fail()
    else stream.on("data", write).on("end", end).on("error", fail).on("close", fail)
    return () => {
      stream.off("data", write).pause()
      request.pause()
    }
  }

/**
 * Whether a request's body was not received to its end, so that the connection cannot serve another request. A body
 * that came with its headers is complete in the next turn of the event loop.
 */
export const isUnread = async (request: IncomingMessage): Promise<boolean> => {
  if (!request.complete) await new Promise((resolve) => setImmediate(resolve))
  return !request.complete || request.isPaused()
}

/** The reason phrases of statuses that come from SIP, for which HTTP has no phrase (RFC 3261 §21). */
const reasons: Readonly<Record<number, string>> = {
  480: "Temporarily Unavailable",
  486: "Busy Here",
  603: "Decline"
}

/** The reason phrase of a status. */
export const reasonOf = (status: number): string => reasons[status] ?? STATUS_CODES[status] ?? "unknown"

/** In milliseconds: how long a client that is still sending may take to read the answer. */
const LINGER = 1_000

/**
 * Writes an answer.
 *
 * @param unread whether the request's body was not received to its end: the connection is then closed behind the answer
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
  if (isStream(body)) {
    // A server that closes waits for the connection too, so the headers say that it will not be used again.
    response.shouldKeepAlive = false
    response.writeHead(status, reasonOf(status), answer.headers).flushHeaders()
    writeStream(response, body)
    return
  }
  const headers = status === 204 ? answer.headers : { ...answer.headers, "content-length": sizeOf(body) }
  const reason = reasonOf(status)
  if (!unread) {
    response.writeHead(status, reason, headers).end(body ?? undefined)
    return
  }
  // Closing at once would reset the connection under the client's writes, and the client would not see the answer.
  response.shouldKeepAlive = false
  response.writeHead(status, reason, headers).write(body ?? "")
  setTimeout(() => {
    // Listeners for the end of the response run before the connection closes.
    response.end()
    setImmediate(() => request.destroy())
  }, LINGER).unref()
}

const streams = new WeakMap<ServerResponse, () => void>()

/** Ends a response whose body comes piece by piece; other responses stay as they are. */
export const endStream = (response: ServerResponse): void => streams.get(response)?.()

const writeStream = (response: ServerResponse, body: HostStream): void => {
  const pieces = body[Symbol.asyncIterator]()
  const end = (): void => void Promise.resolve(pieces.return?.()).catch(() => {})
  const pour = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await pieces.next()
      if (done === true || response.destroyed) return
      if (!response.write(value)) await writable(response)
    }
  }
  streams.set(response, end)
  response.once("close", end)
  pour().then(
    () => response.end(),
    () => response.destroy()
  )
}

/** Waits until a client has read the pieces that were written, or has gone. */
const writable = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done)
      resolve()
    }
    response.on("drain", done).on("close", done)
  })

const sizeOf = (body: string | Uint8Array | null): number => (body === null ? 0 : Buffer.byteLength(body))
