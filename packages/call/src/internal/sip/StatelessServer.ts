/**
 * Answers to incoming requests, other than calls to numbers that are waited for: they are refused without keeping any
 * state, but for the INVITEs that have just been refused.
 *
 * Source: RFC 3261 §8.2, §8.2.7 (a stateless server), §9.2, §11.2, §15.1.2.
 */
import * as HeaderValue from "./HeaderValue.ts"
import { METHODS, type Request } from "./Message.ts"
import type { Source } from "./Endpoint.ts"
import type { RefusedInvites } from "./RefusedInvites.ts"
import { respond, responseText } from "./ResponseTo.ts"

/** The facts on which answers depend. */
export interface Known {
  /** Whether a leg with this Call-ID is open. */
  readonly isOurs: (callId: string) => boolean
  readonly refused: RefusedInvites
}

/**
 * Answers a request; an ACK has no answer.
 *
 * @returns whether it has been, or needs none: false for a request whose answer would be too long
 */
export const answer = (request: Request, source: Source, known: Known): boolean => {
  if (request.method === "ACK") return true
  const [status = "", ...more] = verdict(request, known)
  const text = responseText(request, source, status, more)
  if (text === null) return false
  if (request.method === "INVITE") known.refused.add(request)
  respond(request, source, text)
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
      // No new session within a call, and no calls to other numbers.
      return isWithin ? ["488 Not Acceptable Here", ALLOW] : ["603 Decline"]
    default:
      return ["405 Method Not Allowed", ALLOW]
  }
}
