/**
 * Responses to requests of others.
 *
 * Source: RFC 3261 §8.2.6, §8.2.7, §18.2.2; RFC 3581.
 */
import { hostAndPort } from "@watchword/schemas/ConnectionUrl"
import { createHmac, randomBytes } from "node:crypto"
import type { Source } from "./Endpoint.ts"
import * as HeaderValue from "./HeaderValue.ts"
import { type Request, serialise } from "./Message.ts"

// A retransmitted request must get the same tag (RFC 3261 §8.2.7).
const secret = randomBytes(16)

/**
 * Octets of the longest response: 70 proxies, which is as many as Max-Forwards has, and headers of some length. All
 * fields that are repeated in a response are of the sender's choice.
 */
const LONGEST = 16_384

/**
 * The text of a response; null if it would be too long.
 *
 * @param status with its phrase
 * @param more further header lines
 */
export const responseText = (
  request: Request,
  source: Pick<Source, "address" | "port">,
  status: string,
  more: ReadonlyArray<string> = []
): string | null => {
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
  return text.length > LONGEST ? null : text
}

/** Sends a response to where its request came from. */
export const respond = (request: Request, source: Source, text: string): void =>
  source.reply(text, portOf(request, source))

/** The port that responses to a request go to. */
export const portOf = ({ headers }: Request, source: Pick<Source, "port">): number => {
  const [via = ""] = headers.list("via")
  const rport = HeaderValue.parameter(via, "rport")
  return rport === undefined ? (hostAndPort(HeaderValue.sentBy(via) ?? "")?.port ?? 5060) : source.port
}

const tagFor = ({ branch, callId, cseq }: Request): string =>
  createHmac("sha256", secret).update(`${branch} ${callId} ${cseq.number}`).digest("hex").slice(0, 12)

/** The topmost Via with the address that the request came from (RFC 3581 §4). */
const traced = (via: string, { address, port }: Pick<Source, "address" | "port">): string => {
  const parameters = HeaderValue.split(via, ";").filter((part) => !/^(?:rport|received)\b/i.test(part))
  const isAsked = HeaderValue.parameter(via, "rport") !== undefined
  return [...parameters, `received=${address}`, ...(isAsked ? [`rport=${port}`] : [])].join(";")
}
