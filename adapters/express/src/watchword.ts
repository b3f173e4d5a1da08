/**
 * The interface as a request handler for Express 5 and 4.
 */
import { type HostBody, type Mounted, bytes, checkMounted, endpointsOf, parsed } from "@watchword/server/Host"
import { bodyOf, closing, isUnread, pathOf, writeAnswer } from "@watchword/server/node"
import type { NextFunction, Request, RequestHandler, Response } from "express"
import { type Options as WatchwordOptions, type Watchword, createWatchword } from "watchword"
import { channelsOf } from "watchword/Hosting"

/** A request handler with a service of its own. */
export interface OwnHandler extends RequestHandler {
  /** Resolves to the service once it has started; rejects if it cannot start, for example without its database. */
  readonly ready: Promise<Watchword>
  /** Ends the service. Call it after the server has closed. */
  readonly dispose: () => Promise<void>
}

/**
 * Makes a request handler from a running service, or from the options of a service that it starts itself.
 *
 * Under a prefix, the interface answers every request that no earlier route has taken. At the root it answers only its
 * endpoints; other requests continue to the app's other routes. Mount it before or after `express.json()`:
 *
 * - before it, or without it, the interface reads bodies itself, once their requests are authorized;
 * - after it, the interface uses the parsed value. Bodies that the parser refuses reach the app's own error handler,
 *   and the parser's limit also applies to bodies that do not announce their length.
 *
 * Signatures cover the bytes of a body, which a parser discards. Endpoints that verify signatures must be mounted
 * before the parser, unless it keeps the bytes:
 * `express.json({ verify: (request, _response, buffer) => { request.rawBody = buffer } })`.
 *
 * The client's address is the socket's. If the app sets `trust proxy`, it is `request.ip`, and the service's own
 * `trustedProxies` are ignored.
 *
 * A client that hangs up does not stop its sends. If the handler's own service could not start, requests fail in the
 * app's error handler.
 *
 * @example
 * ```ts
 * import { watchword } from "@watchword/express"
 * import { sqlite } from "@watchword/store-sqlite"
 * import express from "express"
 *
 * const interface_ = watchword({ store: sqlite("express.db") })
 * const server = express().use("/v1", interface_).listen(8080)
 * process.once("SIGTERM", () => server.close(interface_.dispose))
 * ```
 */
export function watchword(service: Mounted): RequestHandler
export function watchword(options: WatchwordOptions): OwnHandler
export function watchword(given: Mounted | WatchwordOptions): RequestHandler | OwnHandler {
  checkMounted(given, "a service of createWatchword, or the options of one")
  if ("handle" in given) return handlerOf(given)
  const ready = createWatchword(given)
  // Requests fail with the same error, so an unhandled rejection must not end the process.
  ready.catch(() => {})
  const endpoints = endpointsOf(channelsOf(given))
  const handler = handlerOf({ handle: async (request) => (await ready).handle(request), endpoints })
  const dispose = () =>
    ready.then(
      (service) => service.dispose(),
      () => {}
    )
  return Object.assign(handler, { ready, dispose })
}

const handlerOf = ({ endpoints, handle }: Mounted): RequestHandler => {
  const answer = async (request: Request, response: Response, path: string): Promise<void> => {
    const body = parsedBody(request) ?? bodyOf(request)
    const { method, headers } = request
    const remoteAddress = request.socket.remoteAddress ?? null
    const host = { method, path, headers, body, remoteAddress, whenGone: closing(response) }
    const trusting = request.app.enabled("trust proxy")
    const answered = await handle(trusting ? { ...host, clientAddress: request.ip ?? null } : host)
    writeAnswer(request, response, answered, await isUnread(request))
  }

  // Express 4 ignores promises.
  const attempt = async (request: Request, response: Response, path: string, next: NextFunction): Promise<void> => {
    try {
      await answer(request, response, path)
    } catch (error) {
      next(error)
    }
  }

  return (request: Request, response: Response, next: NextFunction): void | Promise<void> => {
    // Express has removed the prefix.
    const path = pathOf(request.url)
    const isElsewhere = request.baseUrl === "" && endpoints?.has(request.method, path) === false
    return isElsewhere ? next() : attempt(request, response, path, next)
  }
}

/** The body as the app's parsers left it; undefined if no parser has read it. */
const parsedBody = (request: Request): HostBody | undefined => {
  const raw: unknown = "rawBody" in request ? request.rawBody : undefined
  if (raw instanceof Uint8Array) return bytes(raw)
  const body: unknown = request.body
  if (body === undefined || isUnparsed(request)) return undefined
  if (body instanceof Uint8Array) return bytes(body)
  return typeof body === "string" ? bytes(Buffer.from(body)) : parsed(body)
}

/** Whether a body is the empty object that an Express 4 parser leaves when it has parsed nothing. */
const isUnparsed = (request: Request): boolean => {
  const { body }: { readonly body: unknown } = request
  const isEmpty = typeof body === "object" && body !== null && Object.keys(body).length === 0
  return isEmpty && !("_body" in request && request._body === true) && !request.readableEnded
}
