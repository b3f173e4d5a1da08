/**
 * Webhooks by `node:http` and `node:https`: the socket connects to the addresses that were checked.
 */
import type { LookupAddress } from "node:dns"
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  Agent as HttpAgent,
  request as httpRequest
} from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import * as Effect from "effect/Effect"
import { isPublic, unbracketed } from "./Addresses.ts"
import * as Names from "./names.node.ts"
import {
  type Limits,
  MOST_SAID,
  type Service,
  type WebhookAnswer,
  type WebhookRequest,
  answeredWith,
  refused,
  refusing,
  unanswered,
  unresolved
} from "./sending.ts"

/**
 * A connection is kept for the next event, for a few seconds. Its address was checked when it was made. Several
 * endpoints may be at one host, which gets the sockets of some of them; a request that waits for one of all is within
 * its time-out.
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

  const requested = (url: URL, headers: WebhookRequest["headers"], addresses: ReadonlyArray<LookupAddress>) => {
    const options = { method: "POST", headers, lookup: lookupOf(addresses) }
    return url.protocol === "https:"
      ? httpsRequest(url, { ...options, agent: agents["https:"] })
      : httpRequest(url, { ...options, agent: agents["http:"] })
  }

  const send: Service["send"] = ({ body, headers, url: address }) =>
    Effect.suspend(() => {
      const url = new URL(address)
      const began = performance.now()
      return Effect.matchEffect(names.addressesOf(unbracketed(url.hostname)), {
        onFailure: ({ code }) => Effect.succeed(unresolved(code)),
        onSuccess: (addresses) =>
          allowPrivate || addresses.every(({ address }) => isPublic(address))
            ? answered(() => requested(url, headers, addresses), body, timeout - (performance.now() - began))
            : Effect.succeed(refused)
      })
    })

  return { send, refuses: refusing(allowPrivate) }
}

/** The look-up of a socket, answered with the checked addresses. */
const lookupOf =
  (addresses: ReadonlyArray<LookupAddress>): NonNullable<RequestOptions["lookup"]> =>
  (_host, { all }, answer) => {
    const [first] = addresses
    if (first === undefined) return answer(new Error("no address"), "")
    return all ? answer(null, [...addresses]) : answer(null, first.address, first.family)
  }

/** Sends a request and waits until its answer is at its end. @param within in milliseconds */
const answered = (request: () => ClientRequest, body: string, within: number): Effect.Effect<WebhookAnswer> =>
  Effect.callback((resume) => {
    const sent = request()
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      sent.destroy()
    }, within)
    const end = (answer: WebhookAnswer): void => {
      clearTimeout(late)
      resume(Effect.succeed(answer))
    }
    sent.on("error", (error) => end(unanswered(error, isLate)))
    sent.on("response", (response) => {
      clearTimeout(late)
      readToEnd(response, (body) => end(answeredWith(response.statusCode ?? 0, body)))
    })
    sent.end(body)
    return Effect.sync(() => {
      clearTimeout(late)
      sent.destroy()
    })
  })

/** How much of an answer is read so that its connection can be used again, in bytes and in milliseconds. */
const MOST_READ = 65_536
const READ_FOR = 1_000

/**
 * Calls back when an answer is at its end, or its socket destroyed, with the beginning of its body; null for a
 * compressed body.
 */
const readToEnd = (response: IncomingMessage, end: (body: Uint8Array | null) => void): void => {
  const late = setTimeout(() => response.destroy(), READ_FOR)
  let read = 0
  const begun: Array<Buffer> = []
  response.on("data", (chunk: Buffer) => {
    if (read < MOST_SAID) begun.push(chunk.subarray(0, MOST_SAID - read))
    read += chunk.length
    if (read > MOST_READ) response.destroy()
  })
  response.on("error", () => {})
  response.on("close", () => {
    clearTimeout(late)
    end(response.headers["content-encoding"] === undefined ? Buffer.concat(begun) : null)
  })
}
