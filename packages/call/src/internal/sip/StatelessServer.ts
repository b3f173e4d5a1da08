/**
 * Answers to incoming requests. The gateway only places calls: it refuses everything else without keeping any state,
 * but for the INVITEs that it has just refused.
 *
 * Source: RFC 3261 §8.2, §8.2.7 (a stateless server), §9.2, §11.2, §15.1.2, §18.2.2; RFC 3581.
 */
import { hostAndPort } from "@watchword/schemas/ConnectionUrl"
import { createHmac, randomBytes } from "node:crypto"
import * as HeaderValue from "./HeaderValue.ts"
import { METHODS, type Request, serialise } from "./Message.ts"
import type { Source } from "./Endpoint.ts"
import type { RefusedInvites } from "./RefusedInvites.ts"

// A retransmitted request must get the same tag (RFC 3261 §8.2.7).
const secret = randomBytes(16)

/** The facts on which answers depend. */
export interface Known {
  /** Whether a leg with this Call-ID is open. */
  readonly isOurs: (callId: string) => boolean
  readonly refused: RefusedInvites
}

/**
 * Octets of the longest answer: 70 proxies, which is as many as Max-Forwards has, and headers of some length. All
 * fields that are repeated in an answer are of the sender's choice.
 */
const LONGEST_ANSWER = 16_384

/**
 * Answers a request; an ACK has no answer.
 *
 * @returns whether it has been, or needs none: false for a request whose answer would be too long
 */
export const answer = (request: Request, source: Source, known: Known): boolean => {
  if (request.method === "ACK") return true
  const [status, ...more] = verdict(request, known)
  const { headers } = request
  const [first = "", ...vias] = headers.list("via")
  const to = headers.first("to") ?? ""
  const lines = [
    `Via: ${traced(first, source)}`,
    ...vias.map((via) => `Via: ${via}`),
    `From: ${headers.first("from") ?? ""}`,
    `To: ${HeaderValue.tag(to) === "" ? `${to};tag=${tagFor(request)}` : to}`,
    `Call-ID: ${headers.first("call-id") ?? ""}`,
    `CSeq: ${request.cseq.number} ${request.cseq.method}`,
    ...more,
    ""
  ]
  const text = serialise(`SIP/2.0 ${status}`, lines.join("\r\n"))
  if (text.length > LONGEST_ANSWER) return false
  if (request.method === "INVITE") known.refused.add(request)
  const rport = HeaderValue.parameter(first, "rport")
  source.reply(text, rport === undefined ? (hostAndPort(HeaderValue.sentBy(first) ?? "")?.port ?? 5060) : source.port)
  return true
}

const ALLOW = `Allow: ${METHODS}`

const verdict = (request: Request, { isOurs, refused }: Known): ReadonlyArray<string> => {
  const { callId, headers, method } = request
  const isWithin = HeaderValue.tag(headers.first("to") ?? "") !== ""
  // The INVITE has its final answer already, which a CANCEL does not change.
  if (method === "CANCEL") return refused.has(request) ? ["200 OK"] : ["481 Call/Transaction Does Not Exist"]
  if (isWithin && !isOurs(callId)) return ["481 Call/Transaction Does Not Exist"]
  switch (method) {
    case "BYE":
      return isWithin ? ["200 OK"] : ["481 Call/Transaction Does Not Exist"]
    case "OPTIONS":
      return ["200 OK", ALLOW, "Accept: application/sdp"]
    case "INVITE":
      // No new session within a call, and no calls to us.
      return isWithin ? ["488 Not Acceptable Here", ALLOW] : ["603 Decline"]
    default:
      return ["405 Method Not Allowed", ALLOW]
  }
}

const tagFor = ({ branch, callId, cseq }: Request): string =>
  createHmac("sha256", secret).update(`${branch} ${callId} ${cseq.number}`).digest("hex").slice(0, 12)

/** The topmost Via with the address that the request came from (RFC 3581 §4). */
const traced = (via: string, { address, port }: Source): string => {
  const parameters = HeaderValue.split(via, ";").filter((part) => !/^(?:rport|received)\b/i.test(part))
  const isAsked = HeaderValue.parameter(via, "rport") !== undefined
  return [...parameters, `received=${address}`, ...(isAsked ? [`rport=${port}`] : [])].join(";")
}
