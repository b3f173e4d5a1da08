/**
 * The interface as a request handler of Express 5 and 4.
 */
import { type HostBody, type Mounted, bytes, checkMounted, endpointsOf, parsed } from "@watchword/server/Host"
import { bodyOf, closing, isUnread, pathOf, writeAnswer } from "@watchword/server/node"
import type { NextFunction, Request, RequestHandler, Response } from "express"
import { type Options as WatchwordOptions, type Watchword, createWatchword } from "watchword"
import { channelsOf } from "watchword/Hosting"

/** A request handler with a service of its own. */
export interface OwnHandler extends RequestHandler {
  /** Resolves to the service once it has started; rejects when it cannot, for example without its database. */
  readonly ready: Promise<Watchword>
  /** Ends the service, after the server has closed. */
  readonly dispose: () => Promise<void>
}

/**
 * Makes a request handler of a running service, or of one that it starts with these options.
 *
 * Under a prefix, everything that no route before it has taken is answered by the interface. At the root only its
 * endpoints are; the rest continues to the app's other routes. It may stand before or after `express.json()`:
 *
 * - before it, or without it, the interface reads bodies itself, once their requests are authorized;
 * - after it, it takes the parsed value. What the parser refuses goes to the app's own error handler, and the
 *   parser's limit is the limit of bodies that do not announce their length.
 *
 * Signatures are of the bytes of a body, and a parser leaves nothing of them. Unless it keeps them, endpoints that
 * verify signatures must stand before it:
 * `express.json({ verify: (request, _response, buffer) => { request.rawBody = buffer } })`.
 *
 * The client's address is the socket's. Where the app has `trust proxy`, it is `request.ip`, and the service's
 * own `trustedProxies` are not looked at.
 *
 * A client that hangs up does not stop its sends. When its own service could not be started, requests end in the
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
  // Requests fail with the same error, so a rejection without a handler is no reason to end the process.
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

  // Express 4 does not look at promises.
  const attempt = async (request: Request, response: Response, path: string, next: NextFunction): Promise<void> => {
    try {
      await answer(request, response, path)
    } catch (error) {
      next(error)
    }
  }

  return (request: Request, response: Response, next: NextFunction): void | Promise<void> => {
    // Express has taken the prefix off.
    const path = pathOf(request.url)
    const isElsewhere = request.baseUrl === "" && endpoints?.has(request.method, path) === false
    return isElsewhere ? next() : attempt(request, response, path, next)
  }
}

/** The body as the app's parsers have left it; undefined when none has read it. */
const parsedBody = (request: Request): HostBody | undefined => {
  const raw: unknown = "rawBody" in request ? request.rawBody : undefined
  if (raw instanceof Uint8Array) return bytes(raw)
  const body: unknown = request.body
  if (body === undefined || isUnparsed(request)) return undefined
  if (body instanceof Uint8Array) return bytes(body)
  return typeof body === "string" ? bytes(Buffer.from(body)) : parsed(body)
}

/** Whether a body is the empty object that a parser of Express 4 leaves where it has parsed nothing. */
const isUnparsed = (request: Request): boolean => {
  const { body }: { readonly body: unknown } = request
  const isEmpty = typeof body === "object" && body !== null && Object.keys(body).length === 0
  return isEmpty && !("_body" in request && request._body === true) && !request.readableEnded
}
