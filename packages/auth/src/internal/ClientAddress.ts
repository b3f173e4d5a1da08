/**
 * The address a request comes from, when there may be proxies in between.
 */
import * as Option from "effect/Option"
import * as Networks from "./Networks.ts"

export interface Peer {
  /** The address at the other end of the socket, where the host knows it. */
  readonly socket: string | null
  /** X-Forwarded-For as it came: one header, or several in the order they stand in. */
  readonly forwardedFor: string | ReadonlyArray<string> | null
}

/**
 * The socket's address, unless that is a trusted proxy; then the right-most address of X-Forwarded-For
 * that is none.
 *
 * Each proxy adds the address it was called from at the right, so everything left of the first address
 * that is not trusted may have been made up by the client. Where the walk meets something that is no
 * address, or the end, the last address it passed is the answer: the host there sent the rest.
 *
 * @example
 * ```ts
 * import { clientAddress } from "@watchword/auth/internal/ClientAddress"
 * import * as Networks from "@watchword/auth/internal/Networks"
 * import * as Result from "effect/Result"
 *
 * const proxies = Result.getOrThrow(Networks.parse(["10.0.0.0/8"]))
 * clientAddress(proxies, { socket: "10.0.0.1", forwardedFor: "6.6.6.6, 203.0.113.7" }) // "203.0.113.7"
 * ```
 */
export const clientAddress = (proxies: Networks.Networks, peer: Peer): string | null => {
  if (peer.socket === null || peer.forwardedFor === null || !Networks.contains(proxies, peer.socket)) {
    return peer.socket
  }
  let nearest = peer.socket
  for (const entry of fromTheRight(peer.forwardedFor)) {
    const address = Networks.parseAddress(entry)
    if (Option.isNone(address)) return nearest
    nearest = address.value.toString()
    if (!Networks.contains(proxies, nearest)) return nearest
  }
  return nearest
}

// Not split at once: a header may be long, and the answer is mostly the last entry. Empty entries are
// no entries (RFC 9110 §5.6.1).
function* fromTheRight(header: string | ReadonlyArray<string>): Generator<string> {
  const list = typeof header === "string" ? header : header.join(",")
  let end = list.length
  while (end >= 0) {
    const comma = end === 0 ? -1 : list.lastIndexOf(",", end - 1)
    const entry = list.slice(comma + 1, end).trim()
    if (entry !== "") yield entry
    end = comma
  }
}
