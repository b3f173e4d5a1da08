/**
 * The way to one place of a trunk, and what every request that goes there has in common because of it. It is written
 * once, for thousands of calls take it.
 *
 * Source: RFC 3261 §8.1.1, §16.12; RFC 3581.
 */
import type { Protocol, Target } from "./Hop.ts"

export interface Way {
  /** The trunk's name. */
  readonly trunk: string
  readonly target: Target
  /** Host and port of our side, as a Via has them. */
  readonly sentBy: string
  /** The Route of a proxy that everything goes through, or "". */
  readonly route: string
  /** Between a request's URI and its branch. */
  readonly beforeBranch: string
  /** Between its branch and the value of its From. */
  readonly afterBranch: string
}

export const way = (trunk: string, target: Target, sentBy: string, route: string): Way => {
  const { protocol } = target
  return {
    trunk,
    target,
    sentBy,
    route,
    beforeBranch: inOnePiece(" SIP/2.0\r\n", viaUpToBranch(protocol, sentBy)),
    afterBranch: inOnePiece(afterBranch(route), "From: ")
  }
}

const transports: Readonly<Record<Protocol, string>> = { udp: "UDP", tcp: "TCP", tls: "TLS" }

export const viaUpToBranch = (protocol: Protocol, sentBy: string): string =>
  `Via: SIP/2.0/${transports[protocol]} ${sentBy};branch=`

/** The rest of a Via, and what is between it and From. */
export const afterBranch = (route: string): string =>
  `;rport\r\nMax-Forwards: 70\r\n${route === "" ? "" : `Route: ${route}\r\n`}`

/** What is used again and again is not to be put together again and again: as a sum it would stay a tree of its parts. */
export const inOnePiece = (...parts: ReadonlyArray<string>): string => parts.join("")
