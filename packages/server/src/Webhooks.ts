/**
 * The endpoints that gateways call back to. They are no part of the interface: no key, no envelope; each
 * gateway checks by its own signature who calls, which needs the body's bytes as they came.
 */
import { BusinessChat } from "@watchword/bizchat/BusinessChat"
import { Chat } from "@watchword/chatgw/Chat"
import { type Webhook, type WebhookRequest, type WebhookResponse, respond } from "@watchword/gateway-http/Webhook"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { webhookPaths } from "./BodyLimit.ts"
import { envelope, noEndpoint } from "./Failures.ts"
import type { HostBody, HostRequest } from "./Host.ts"
import { type ServerRequest, current, headerOf } from "./ServerRequest.ts"

export { webhookPaths as paths } from "./BodyLimit.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const chat = yield* Chat
    const businessChat = yield* BusinessChat
    return Layer.merge(
      endpoint(webhookPaths.chatgw, chat.webhook),
      endpoint(webhookPaths.bizchat, businessChat.webhook)
    )
  })
)

const endpoint = (path: "/chatgw/events" | "/bizchat/events", webhook: Webhook | null) =>
  HttpRouter.add(
    "*",
    path,
    Effect.flatMap(current, (request) => {
      const { method } = request
      if (webhook === null || (method !== "GET" && method !== "POST")) {
        return Effect.succeed(envelope(noEndpoint, request))
      }
      request.route = path
      return Effect.map(answer(webhook, method, request), ({ body, status }) =>
        HttpServerResponse.text(body, { status })
      )
    })
  )

const answer = (
  webhook: Webhook,
  method: WebhookRequest["method"],
  { host }: ServerRequest
): Effect.Effect<WebhookResponse> => {
  const rawBody = bytesOf(host.body)
  if (rawBody !== null) return webhook({ method, query: queryOf(host), headers: headersOf(host), rawBody })
  return host.body._tag === "Parsed" ? Effect.as(Effect.logError(unsigned), respond(500)) : Effect.succeed(respond(400))
}

const unsigned =
  "a gateway's event was refused: its signature is of the body's bytes, and the host has parsed them already"

const none = new Uint8Array()

/** Null when they cannot be had. */
const bytesOf = (body: HostBody): Uint8Array | null =>
  body._tag === "Bytes" ? body.bytes : body._tag === "Absent" ? none : null

const queryOf = ({ path }: HostRequest): Readonly<Record<string, string>> => {
  const start = path.indexOf("?")
  const entries = start < 0 ? [] : [...new URLSearchParams(path.slice(start))]
  // Of several values the first counts.
  return Object.fromEntries(entries.toReversed())
}

const headersOf = (host: HostRequest): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.keys(host.headers).map((name) => [name, headerOf(host, name) ?? undefined]))
