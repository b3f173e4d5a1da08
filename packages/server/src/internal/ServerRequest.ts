/**
 * Requests of hosts as Effect's router and tracer read them.
 */
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { isHttpMethod } from "effect/http/HttpMethod"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import { headerOf } from "../http/ApiRequest.ts"
import type { HostRequest } from "../Host.ts"

/** The headers by which a client has its trace continued, as Effect reads them. */
const TRACE_CONTEXT = /^(?:traceparent|tracestate|b3|x-b3-.*)$/

/**
 * A request without its body; none if Effect does not know the method.
 *
 * @param keepTrace whether the trace that the client's headers name is continued
 */
export const fromHost = (host: HostRequest, keepTrace: boolean): Option.Option<HttpServerRequest.HttpServerRequest> => {
  const { headers, method, path, remoteAddress } = host
  if (!isHttpMethod(method)) return Option.none()
  const names = Object.keys(headers).filter((name) => keepTrace || !TRACE_CONTEXT.test(name))
  const all = names.map((name): [string, string] => [name, headerOf(host, name) ?? ""])
  const request = HttpClientRequest.make(method)(path, { headers: Object.fromEntries(all) })
  const address = Option.fromNullishOr(remoteAddress)
  return Option.some(
    HttpServerRequest.fromClientRequest(request).modify({ url: path, remoteAddress: address, peerAddress: address })
  )
}

/** Has spans show the names of a query's parameters but not their values: a webhook's token is one of them. */
export const withoutQueryValues: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.provideService(UrlParams.CurrentRedactedNames, [/^/])
