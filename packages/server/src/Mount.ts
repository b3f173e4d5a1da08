/**
 * The interface inside another Effect router.
 */
import { Features } from "@watchword/send/channel/Features"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Endpoints from "./internal/Endpoints.ts"
import { Handler, type HostRequest, type ReadBody, absent, within599 } from "./Host.ts"
import { toResponse } from "./internal/Responses.ts"

export interface Options {
  /** Prefix of every endpoint. None by default. */
  readonly prefix?: `/${string}`
}

/**
 * Adds the interface to the router. Under a prefix, everything that no route of the router's own is for is
 * answered by the interface; without one only its endpoints are, and the rest is the router's.
 *
 * The answers do not depend on the router's configuration, and a client that hangs up does not interrupt its request.
 * Where `HttpMiddleware.xForwardedHeaders` has found the client's address, it is taken, and the service's own
 * `trustedProxies` are not looked at. Effect's servers send no status beyond 599: 603 leaves as 486 with
 * the header `x-status: 603`.
 *
 * @example
 * ```ts
 * import * as Mount from "@watchword/server/Mount"
 * import { memory } from "@watchword/store/MemoryStore"
 * import * as HttpRouter from "effect/http/HttpRouter"
 * import * as HttpServerResponse from "effect/http/HttpServerResponse"
 * import * as Layer from "effect/Layer"
 * import * as Services from "watchword/Services"
 *
 * const routes = Layer.merge(
 *   HttpRouter.add("GET", "/", HttpServerResponse.text("my own")),
 *   Layer.provide(Mount.layer({ prefix: "/v1" }), Services.layer({ store: memory() }))
 * )
 * const app = HttpRouter.serve(routes)
 * ```
 */
export const layer = (options: Options = {}): Layer.Layer<never, never, Handler | Features | HttpRouter.HttpRouter> =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const handle = yield* Handler
      const features = yield* Features
      const { prefix } = options
      const answer = (request: HttpServerRequest) =>
        Effect.map(handle(toHost(request)), (answer) => toResponse(within599(answer)))
      if (prefix !== undefined) return yield* router.prefixed(prefix).add("*", "/*", answer)
      const { all } = Endpoints.make(features.map(({ feature }) => feature))
      for (const { method, path } of all) yield* router.add(method, path, answer)
    })
  )

const toHost = (request: HttpServerRequest): HostRequest => {
  const { method, url, headers } = request
  const remoteAddress = Option.getOrNull(request.remoteAddress)
  const peerAddress = Option.getOrNull(request.peerAddress)
  const host = { method, path: url, headers, body: bodyOf(request), remoteAddress: peerAddress }
  // They differ where a middleware of the router's has found the client behind a proxy.
  return remoteAddress === peerAddress ? host : { ...host, clientAddress: remoteAddress }
}

const bodyOf = (request: HttpServerRequest): HostRequest["body"] =>
  request.method === "GET" || request.method === "HEAD" ? absent : reader(request)

const reader =
  ({ stream }: HttpServerRequest): ReadBody =>
  ({ end, fail, write }) => {
    const reading = Effect.runFork(Stream.runForEach(stream, (piece) => Effect.sync(() => write(piece))))
    reading.addObserver(({ _tag }) => (_tag === "Success" ? end() : fail()))
    return () => reading.interruptUnsafe()
  }
