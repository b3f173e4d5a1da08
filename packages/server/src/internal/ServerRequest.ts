/**
 * Requests of hosts as Effect's router and tracer read them.
 */
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { isHttpMethod } from "effect/http/HttpMethod"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import { headerOf } from "./ApiRequest.ts"
import type { HostRequest } from "../Host.ts"

/** A request without its body; none where Effect does not know the method. */
export const fromHost = (host: HostRequest): Option.Option<HttpServerRequest.HttpServerRequest> => {
  const { headers, method, path, remoteAddress } = host
  if (!isHttpMethod(method)) return Option.none()
  const all = Object.keys(headers).map((name): [string, string] => [name, headerOf(host, name) ?? ""])
  const request = HttpClientRequest.make(method)(path, { headers: Object.fromEntries(all) })
  const address = Option.fromNullishOr(remoteAddress)
  return Option.some(
    HttpServerRequest.fromClientRequest(request).modify({ url: path, remoteAddress: address, peerAddress: address })
  )
}
