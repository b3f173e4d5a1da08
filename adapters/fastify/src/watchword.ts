/**
 * The interface as a plugin for Fastify 5.
 */
import {
  type HostRequest,
  type HostResponse,
  type Mounted,
  absent,
  checkMounted,
  isStream,
  within599
} from "@watchword/server/Host"
import { bodyOf, closing, isUnread, pathBehind, reader, reasonOf, writeAnswer } from "@watchword/server/node"
import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  RouteHandler
} from "fastify"
import type { IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import { type Options as WatchwordOptions, createWatchword } from "watchword"

/**
 * Makes a plugin from a running service, or from the options of a service that it starts itself. Register it with or
 * without a prefix.
 *
 * Under a prefix, the interface answers every request that the app has no route for, except `OPTIONS` and methods that
 * Fastify does not know. At the root it answers only its endpoints; the rest is the app's.
 *
 * A service that the plugin starts is running before the app is ready, and the app fails if it cannot start. It ends
 * when the app closes, after the requests in flight. The owner of a service passed to the plugin ends it.
 *
 * The app's hooks and its logger see these requests, with the body as an unread stream. Its content-type parsers do
 * not: the plugin takes raw bodies, whatever their type. The client's address is the socket's. If the app sets
 * `trustProxy`, it is `request.ip`, and the service's own `trustedProxies` are ignored. A client that hangs up does not
 * stop its sends.
 *
 * Fastify answers paths that cannot be decoded (`/%ZZ`) before any plugin. HTTP/2 on Node has no status above 599, so
 * 603 is sent as 486 with the header `x-status: 603`.
 *
 * @example
 * ```ts
 * import { watchword } from "@watchword/fastify"
 * import { sqlite } from "@watchword/store-sqlite"
 * import fastify from "fastify"
 *
 * const app = fastify()
 * app.register(watchword({ store: sqlite("fastify.db") }), { prefix: "/v1" })
 * await app.listen({ port: 8080 })
 * process.once("SIGTERM", () => app.close())
 * ```
 */
export const watchword = (given: Mounted | WatchwordOptions): FastifyPluginAsync => {
  checkMounted(given, "a service of createWatchword, or the options of one")
  return async (app) => mount(app, "handle" in given ? given : await started(app, given))
}

const mount = (app: FastifyInstance, { endpoints, handle }: Mounted): void => {
  const pathIn = pathBehind(app.prefix)

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    body: HostRequest["body"]
  ): Promise<FastifyReply> => {
    const { method, headers, raw } = request
    const remoteAddress = raw.socket.remoteAddress ?? null
    const host = { method, path: pathIn(request.url), headers, body, remoteAddress, whenGone: closing(reply.raw) }
    // `ips` exists only if the app trusts proxies.
    const answered = await handle(request.ips === undefined ? host : { ...host, clientAddress: request.ip })
    return write(request, reply, answered, await isUnread(raw))
  }

  app.removeAllContentTypeParsers()
  // Passes on the stream itself: a request is authorized before its body is read.
  app.addContentTypeParser("*", async (_request: FastifyRequest, payload: IncomingMessage) => payload)
  // Fastify refuses a content type that it cannot parse before it calls any parser.
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (error.code !== "FST_ERR_CTP_INVALID_MEDIA_TYPE") throw error
    return answer(request, reply, bodyOf(request.raw))
  })

  const handler: RouteHandler = (request, reply) =>
    answer(request, reply, request.body instanceof Readable ? reader(request.body, request.raw) : absent)
  if (app.prefix === "" && endpoints !== undefined) {
    for (const { method, path } of endpoints.all) app.route({ method, url: path, exposeHeadRoute: false, handler })
  } else {
    // Preflight requests belong to the app, whose hooks or routes answer them.
    const method = app.supportedMethods.filter((supported) => supported !== "OPTIONS")
    for (const url of ["", "/*"]) app.route({ method, url, handler })
  }
}

/** Starts a service that ends with the app. */
const started = async (app: FastifyInstance, options: WatchwordOptions): Promise<Mounted> => {
  const service = await createWatchword(options)
  app.addHook("onClose", service.dispose)
  return service
}

const write = (request: FastifyRequest, reply: FastifyReply, answer: HostResponse, unread: boolean): FastifyReply => {
  const http1 = request.raw.httpVersionMajor === 1
  if (http1 && (unread || isStream(answer.body))) {
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    writeAnswer(request.raw, reply.hijack().raw, answer, unread)
    return reply
  }
  const { status, headers, body } = http1 ? answer : within599(answer)
  // `reply.code` rejects a status above 599, and Node has no reason phrases for SIP statuses.
  reply.raw.statusCode = status
  if (http1) reply.raw.statusMessage = reasonOf(status)
  return reply.headers(headers).send(isStream(body) ? Readable.from(body) : body)
}
