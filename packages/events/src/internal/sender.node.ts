/**
 * Webhooks by `node:http` and `node:https`: the socket connects to the addresses that were checked.
 */
import type { LookupAddress } from "node:dns"
import { type IncomingMessage, type RequestOptions, Agent as HttpAgent, request as httpRequest } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import * as Effect from "effect/Effect"
import { isPublic, unbracketed } from "../Addresses.ts"
import * as Names from "./names.node.ts"
import {
  type Limits,
  type Service,
  type WebhookAnswer,
  type WebhookRequest,
  refused,
  refusing,
  unanswered,
  unresolved
} from "./sending.ts"

/**
 * A connection is kept for the next event, for a few seconds. Its address was checked when it was made. Several endpoints
 * may be at one host, which gets the sockets of some of them; a request that waits for one of all is within its time-out.
 */
const connections = {
  keepAlive: true,
  maxFreeSockets: 8,
  maxSockets: 64,
  maxTotalSockets: 384,
  scheduling: "lifo",
  timeout: 5_000
} as const

/** How long a name may take to resolve, in milliseconds. */
const RESOLVED_WITHIN = 5_000

export const make = ({ allowPrivate, nameServers, timeout }: Limits): Service => {
  const agents = { "http:": new HttpAgent(connections), "https:": new HttpsAgent(connections) }
  const names = Names.make({ nameServers, timeout: Math.min(timeout, RESOLVED_WITHIN) })

  const posted = async (
    { body, headers, url: address }: WebhookRequest,
    addresses: ReadonlyArray<LookupAddress>,
    signal: AbortSignal
  ): Promise<WebhookAnswer> => {
    const url = new URL(address)
    const options = { method: "POST", headers, signal, lookup: lookupOf(addresses) }
    const request =
      url.protocol === "https:"
        ? httpsRequest(url, { ...options, agent: agents["https:"] })
        : httpRequest(url, { ...options, agent: agents["http:"] })
    const response = await answered(request, body)
    await givenBack(response)
    return { _tag: "Answered", status: response.statusCode ?? 0 }
  }

  const send: Service["send"] = Effect.fnUntraced(
    function* (webhook) {
      const inTime = AbortSignal.timeout(timeout)
      const addresses = yield* names.addressesOf(unbracketed(new URL(webhook.url).hostname))
      if (!allowPrivate && !addresses.every(({ address }) => isPublic(address))) return refused
      return yield* Effect.promise((interrupted) => {
        const signal = AbortSignal.any([interrupted, inTime])
        return posted(webhook, addresses, signal).catch((error: unknown) => unanswered(error, signal))
      })
    },
    Effect.catchTag("Unresolved", ({ code }) => Effect.succeed(unresolved(code)))
  )

  return { send, refuses: refusing(allowPrivate) }
}

/** The look-up of a socket, answered with what was checked. */
const lookupOf =
  (addresses: ReadonlyArray<LookupAddress>): NonNullable<RequestOptions["lookup"]> =>
  (_host, { all }, answer) => {
    const [first] = addresses
    if (first === undefined) return answer(new Error("no address"), "")
    return all ? answer(null, [...addresses]) : answer(null, first.address, first.family)
  }

const answered = (request: ReturnType<typeof httpRequest>, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.on("error", reject)
    request.on("response", resolve)
    request.end(body)
  })

/** How much of an answer is read so that its connection can be used again, in bytes and in milliseconds. */
const MOST_READ = 65_536
const READ_FOR = 1_000

/** Resolves when an answer is at its end, or its socket destroyed. Its body is of no use. */
const givenBack = (response: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(() => response.destroy(), READ_FOR)
    let read = 0
    response.on("data", (chunk: Buffer) => {
      read += chunk.length
      if (read > MOST_READ) response.destroy()
    })
    response.on("error", () => {})
    response.on("close", () => {
      clearTimeout(late)
      resolve()
    })
  })
