/**
 * The endpoints that providers call back, one for each gateway with callbacks. They are not part of the interface: no
 * key, no envelope. Each gateway authenticates its caller by a signature, which needs the original bytes of the body.
 */
import { REQUEST_ID } from "@watchword/api/Headers"
import { webhookPath } from "@watchword/send/channel/Channel"
import type { Running } from "@watchword/send/channel/Features"
import { type Webhook, type WebhookRequest, type WebhookResponse, respond } from "@watchword/send/gateway"
import * as Effect from "effect/Effect"
import { type ApiRequest, headerOf } from "../http/ApiRequest.ts"
import * as Bodies from "../http/Bodies.ts"
import type { Clients } from "../http/Clients.ts"
import type { Route } from "../http/Router.ts"
import { NO_STORE } from "../http/Failures.ts"
import type { HostBody, HostRequest } from "../Host.ts"

/** The routes of a channel's webhook; none if its gateway does not call back. */
export const routes = ({ feature, webhook }: Running, clients: Clients): ReadonlyArray<Route> =>
  webhook === null ? [] : endpoint(webhookPath(feature), webhook, clients)

const endpoint = (path: Route["path"], webhook: Webhook, clients: Clients): ReadonlyArray<Route> => {
  const withBody = Bodies.ofStrangers(webhook.maxBodyBytes, clients)
  return (["GET", "POST"] as const).map((method) => ({
    method,
    path,
    declared: none,
    answer: (request) => {
      request.isCallback = true
      return Effect.map(answer(webhook, method, request, withBody), ({ body, status }) => ({
        status,
        headers: { ...NO_STORE, [REQUEST_ID]: request.requestId, "content-type": "text/plain" },
        body
      }))
    }
  }))
}

const none: ReadonlySet<number> = new Set()

/** A body is read only where it may be signed: the gateway refuses the request without one. */
const answer = (
  webhook: Webhook,
  method: WebhookRequest["method"],
  { host }: ApiRequest,
  withBody: Bodies.WithStrangersBody
): Effect.Effect<WebhookResponse> => {
  const request = { method, query: queryOf(host), headers: headersOf(host) }
  const isSigned = webhook.signatureHeaders.every((name) => request.headers[name] !== undefined)
  if (method === "GET" || !isSigned) return webhook.handle({ ...request, rawBody: nothing })
  return withBody(host, (body) => {
    const rawBody = bytesOf(body)
    if (rawBody !== null) return webhook.handle({ ...request, rawBody })
    if (body._tag === "Parsed") return Effect.as(Effect.logError(unsigned), respond(500))
    return Effect.succeed(respond(body._tag === "Overloaded" ? 503 : body._tag === "Late" ? 408 : 400))
  })
}

const unsigned =
  "a gateway's event was refused: its signature is of the body's bytes, and the host has parsed them already"

const nothing = new Uint8Array()

/** Null if the host does not have them. */
const bytesOf = (body: HostBody): Uint8Array | null =>
  body._tag === "Bytes" ? body.bytes : body._tag === "Absent" ? nothing : null

const queryOf = ({ path }: HostRequest): Readonly<Record<string, string>> => {
  const start = path.indexOf("?")
  const entries = start < 0 ? [] : [...new URLSearchParams(path.slice(start))]
  // The first of several values counts.
  return Object.fromEntries(entries.toReversed())
}

const headersOf = (host: HostRequest): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.keys(host.headers).map((name) => [name, headerOf(host, name) ?? undefined]))
