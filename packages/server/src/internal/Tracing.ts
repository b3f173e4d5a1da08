/**
 * Spans of requests, if there is a tracer. Their attributes are the same as in Effect's HTTP servers.
 */
import * as Effect from "effect/Effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import type { ApiRequest } from "../http/ApiRequest.ts"
import type { HostResponse } from "../Host.ts"
import * as ServerRequest from "./ServerRequest.ts"

/**
 * Answers in a span. Unknown methods have no span.
 *
 * @param keepTrace whether the span continues the trace that the client's headers name
 */
export const traced = (
  request: ApiRequest,
  answer: Effect.Effect<HostResponse>,
  keepTrace: boolean
): Effect.Effect<HostResponse> => {
  const found = ServerRequest.fromHost(request.host, keepTrace)
  if (Option.isNone(found)) return answer
  return Effect.flatMap(Effect.cached(answer), (answered) => {
    const responded = Effect.flatMap(answered, ({ headers, status }) =>
      Effect.as(Effect.annotateCurrentSpan("http.route", request.route), HttpServerResponse.empty({ status, headers }))
    )
    const spanned = Effect.provideService(HttpMiddleware.tracer(responded), HttpServerRequest, found.value)
    return Effect.andThen(ServerRequest.withoutQueryValues(spanned), answered)
  })
}
