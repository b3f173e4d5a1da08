/**
 * The pages that users' browsers open. They are not part of the interface: no key, no envelope. No cache keeps them,
 * and a browser names their address, which may have a token in it, to no other server.
 */
import { REQUEST_ID } from "@watchword/api/Headers"
import type { Running } from "@watchword/send/channel/Features"
import { MAX_FORM_BYTES, type VisitResponse } from "@watchword/send/gateway"
import * as Effect from "effect/Effect"
import { type ApiRequest, headerOf } from "../http/ApiRequest.ts"
import * as Bodies from "../http/Bodies.ts"
import type { Clients } from "../http/Clients.ts"
import { NO_STORE } from "../http/Failures.ts"
import type { Route } from "../http/Router.ts"
import type { HostBody, HostRequest } from "../Host.ts"

/** The routes of a feature's pages. */
export const routes = ({ feature, visit }: Running, clients: Clients): ReadonlyArray<Route> => {
  const { visits = [] } = feature
  if (visit === undefined) return []
  const withBody = Bodies.ofStrangers(MAX_FORM_BYTES, clients)
  return visits.map(({ method, path }) => ({
    method,
    path,
    declared: none,
    answer: (request) => {
      request.isCallback = true
      const { host } = request
      const asked = { method, path, query: queryOf(host), acceptLanguage: headerOf(host, "accept-language") ?? "" }
      if (method === "GET") return Effect.map(visit({ ...asked, form: new URLSearchParams() }), toHost(request))
      return withBody(host, (body) => Effect.map(visit({ ...asked, form: formOf(body) }), toHost(request)))
    }
  }))
}

const none: ReadonlySet<number> = new Set()

const toHost =
  (request: ApiRequest) =>
  ({ body, headers, status }: VisitResponse) => ({
    status,
    headers: {
      ...NO_STORE,
      [REQUEST_ID]: request.requestId,
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "no-referrer",
      ...headers
    },
    body
  })

const queryOf = ({ path }: HostRequest): URLSearchParams => {
  const start = path.indexOf("?")
  return new URLSearchParams(start < 0 ? "" : path.slice(start))
}

/** Empty if the body is not a form, or was not read. */
const formOf = (body: HostBody): URLSearchParams => {
  if (body._tag === "Bytes") return new URLSearchParams(new TextDecoder().decode(body.bytes))
  // A framework has read the form.
  const fields = body._tag === "Parsed" && typeof body.value === "object" ? Object.entries(body.value ?? {}) : []
  return new URLSearchParams(fields.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])))
}
