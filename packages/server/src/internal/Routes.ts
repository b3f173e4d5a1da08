/**
 * Runs the routes of an Effect router for hosts, where the interface itself is not.
 */
import { REQUEST_ID } from "@watchword/api/Headers"
import type { NotFound } from "@watchword/schemas/Errors"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import { isHttpServerError } from "effect/http/HttpServerError"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import { ApiRequest } from "../http/ApiRequest.ts"
import { STRICT } from "./strict.ts"
import { envelope, noEndpoint, respond } from "../http/Failures.ts"
import type { Handle, HostResponse } from "../Host.ts"
import * as ServerRequest from "./ServerRequest.ts"

// People type the addresses of these pages.
const lenient = Layer.succeed(HttpRouter.RouterConfig, { ...STRICT, ignoreTrailingSlash: true })

/**
 * The handler of some routes. Requests without a route, and failures, are answered in the envelope.
 *
 * @param atRoot the answer at `/`, where no route is
 */
export const toHandle = <A, E, R>(
  routes: Layer.Layer<A, E, R>,
  atRoot: NotFound = noEndpoint
): Effect.Effect<Handle, E, Exclude<R, HttpRouter.HttpRouter> | Scope> =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.provideMerge(routes, Layer.provide(HttpRouter.layer, lenient)))
    const routed = Context.get(context, HttpRouter.HttpRouter).asHttpEffect()
    const app = ServerRequest.withoutQueryValues(HttpMiddleware.tracer(routed))
    return (host) =>
      Effect.suspend(() => {
        const request = new ApiRequest(host)
        const found = ServerRequest.fromHost(host, false)
        if (Option.isNone(found)) return Effect.succeed(envelope(noEndpoint, request))
        return Effect.scoped(Effect.provideService(app, HttpServerRequest, found.value)).pipe(
          Effect.map((response) => toHost(request, response)),
          Effect.catchCause((cause) => failed(cause, request, atRoot))
        )
      })
  })

const failed = (cause: Cause.Cause<unknown>, request: ApiRequest, atRoot: NotFound): Effect.Effect<HostResponse> => {
  const error = Cause.squash(cause)
  return isHttpServerError(error) && error.reason._tag === "RouteNotFound"
    ? Effect.succeed(envelope(request.host.path === "/" ? atRoot : noEndpoint, request))
    : respond(cause, request)
}

const toHost = (request: ApiRequest, response: HttpServerResponse): HostResponse => {
  const headers: Record<string, string> = { [REQUEST_ID]: request.requestId }
  for (const name in response.headers) {
    // The host counts the bytes it writes.
    if (name !== "content-length") headers[name] = response.headers[name] ?? ""
  }
  return { status: response.status, headers, body: bodyOf(response) }
}

// Small bodies are given as texts: hosts write a text with the headers before it, but bytes separately.
const SMALL = 65_536
const utf8 = new TextDecoder()

const bodyOf = ({ body, headers }: HttpServerResponse): HostResponse["body"] => {
  switch (body._tag) {
    case "Empty":
      return null
    case "Uint8Array":
      if (body.contentLength > SMALL || headers["content-encoding"] !== undefined) return body.body
      return body.text ?? utf8.decode(body.body)
    case "Raw":
    case "FormData":
    case "Stream":
      throw new Error(`routes answer with bytes, not ${body._tag}`)
  }
}
