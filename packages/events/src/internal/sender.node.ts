/**
 * Webhooks by `node:http` and `node:https`: the socket connects to the addresses that were checked.
 */
import type { LookupAddress } from "node:dns"
import { lookup } from "node:dns/promises"
import { type RequestOptions, Agent as HttpAgent, request as httpRequest } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { isIP } from "node:net"
import * as Effect from "effect/Effect"
import { isPublic, unbracketed } from "../Addresses.ts"
import { type Limits, type Service, type WebhookAnswer, type WebhookRequest, refused, unanswered } from "./sending.ts"

// A connection is kept for the next event. Its address was checked when it was made.
const keptOpen = { keepAlive: true, maxFreeSockets: 64, scheduling: "lifo" } as const

export const make = ({ allowPrivate, timeout }: Limits): Service => {
  const agents = { "http:": new HttpAgent(keptOpen), "https:": new HttpsAgent(keptOpen) }

  const send = async (webhook: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> => {
    const url = new URL(webhook.url)
    const addresses = await within(signal, resolved(unbracketed(url.hostname)))
    if (!allowPrivate && !addresses.every(({ address }) => isPublic(address))) return refused
    const options = { method: "POST", headers: webhook.headers, signal, lookup: lookupOf(addresses) }
    return url.protocol === "https:"
      ? posted(httpsRequest(url, { ...options, agent: agents["https:"] }), webhook.body)
      : posted(httpRequest(url, { ...options, agent: agents["http:"] }), webhook.body)
  }

  return {
    send: (webhook) =>
      Effect.promise((interrupted) => {
        const signal = AbortSignal.any([interrupted, AbortSignal.timeout(timeout)])
        return send(webhook, signal).catch((error: unknown) => unanswered(error, signal))
      })
  }
}

const resolved = async (host: string): Promise<ReadonlyArray<LookupAddress>> => {
  const family = isIP(host)
  return family === 0 ? lookup(host, { all: true }) : [{ address: host, family }]
}

/** Resolution cannot be aborted: it is left to end by itself. */
const within = <A>(signal: AbortSignal, work: Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })

/** The look-up of a socket, answered with what was checked. */
const lookupOf =
  (addresses: ReadonlyArray<LookupAddress>): NonNullable<RequestOptions["lookup"]> =>
  (_host, { all }, answer) => {
    const [first] = addresses
    if (first === undefined) return answer(new Error("no address"), "")
    return all ? answer(null, [...addresses]) : answer(null, first.address, first.family)
  }

/** The body of an answer is of no use. One that is short is read, so that its connection can be used again. */
const MOST_UNREAD = 65_536

const posted = (request: ReturnType<typeof httpRequest>, body: string): Promise<WebhookAnswer> =>
  new Promise((resolve, reject) => {
    request.on("error", reject)
    request.on("response", (response) => {
      let read = 0
      response.on("data", (chunk: Buffer) => {
        read += chunk.length
        if (read > MOST_UNREAD) response.destroy()
      })
      response.on("error", () => {})
      resolve({ _tag: "Answered", status: response.statusCode ?? 0 })
    })
    request.end(body)
  })
