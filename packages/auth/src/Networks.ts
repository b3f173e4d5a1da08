/**
 * Sets of IP addresses, written as addresses and CIDR ranges, and the address that a request comes from when there may
 * be proxies in between.
 *
 * An IPv4-mapped address (`::ffff:203.0.113.7`) equals the IPv4 address that it maps, on both sides. No other address
 * that embeds an IPv4 address does: who may use a key depends on the address that the network delivered to.
 *
 * Source: RFC 4632 §3.1; RFC 4007 §11 (zones).
 */
import { type IpAddress, parse as parseIp } from "@watchword/schemas/IpAddress"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import ipaddr from "ipaddr.js"
import QuickLRU from "quick-lru"

/** All addresses that share their first `bits` bits with `address`, which is the first of them. */
interface Network {
  readonly address: IpAddress
  readonly bits: number
}

export interface Networks {
  readonly networks: ReadonlyArray<Network>
  /** Cache of decisions, by address as it was written. */
  readonly decided: {
    readonly size: number
    readonly get: (address: string) => boolean | undefined
    readonly set: (address: string, inside: boolean) => unknown
  }
}

/** An entry that is neither an IP address nor a CIDR range. */
export class NetworkError extends Schema.TaggedError<NetworkError>()("NetworkError", {
  /** Its index in the entries, from 0. */
  index: Schema.Int,
  entry: Schema.String,
  /** The problem, without the entry. */
  message: Schema.String
}) {}

const DECISIONS = 128

/**
 * Reads addresses and CIDR ranges, or says which entry cannot be read. A range may be written with any
 * address inside it. Ports, brackets and zones do not belong here.
 *
 * @example
 * ```ts
 * import * as Networks from "@watchword/auth/Networks"
 *
 * Networks.parse(["203.0.113.7", "10.0.0.0/8", "2001:db8::/32"])
 * ```
 */
export const parse = (entries: ReadonlyArray<string>): Result.Result<Networks, NetworkError> =>
  Result.map(Result.all(entries.map(parseNetwork)), (networks) => ({
    networks,
    decided: new QuickLRU<string, boolean>({ maxSize: DECISIONS })
  }))

const parseNetwork = (entry: string, index: number): Result.Result<Network, NetworkError> => {
  const wrong = (message: string) => Result.fail(new NetworkError({ index, entry, message }))
  const [, host = "", prefix] = /^([^/]*)(?:\/(.*))?$/s.exec(entry.trim()) ?? []
  const address = parseIp(host)
  if (address === null) {
    return wrong("must be an IP address or a CIDR range, for example 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32")
  }
  const length = lengthOf(address)
  if (prefix === undefined) return Result.succeed({ address, bits: length })
  // In an IPv4-mapped range the prefix counts the 96 bits before the IPv4 address as well.
  const before = host.includes(":") && address.kind() === "ipv4" ? 96 : 0
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) - before : -1
  return bits >= 0 && bits <= length
    ? Result.succeed({ address: firstOf(address, bits), bits })
    : wrong(`must have a prefix from ${before} to ${before + length} behind the slash`)
}

const lengthOf = (address: IpAddress): number => (address.kind() === "ipv4" ? 32 : 128)

const firstOf = (address: IpAddress, bits: number): IpAddress =>
  ipaddr.fromByteArray(
    address.toByteArray().map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - 8 * index))))
  )

/** The entries in normal form: each range with its first address. */
export const format = ({ networks }: Networks): ReadonlyArray<string> =>
  networks.map(({ address, bits }) => `${address.toString()}${bits === lengthOf(address) ? "" : `/${bits}`}`)

/** Whether an address belongs to one of the networks. Text that is not an address belongs to no network. */
export const contains = (networks: Networks, text: string): boolean => {
  const decided = networks.decided.get(text)
  if (decided !== undefined) return decided
  const address = Option.getOrUndefined(parseAddress(text))
  if (address === undefined) return false
  const inside = networks.networks.some(
    (network) => network.address.kind() === address.kind() && address.match(network.address, network.bits)
  )
  networks.decided.set(text, inside)
  return inside
}

/**
 * Reads the address of a peer as sockets and proxies write it: with a zone (`fe80::1%eth0`), in brackets,
 * with a port. These are left out.
 */
export const parseAddress = (text: string): Option.Option<IpAddress> => {
  if (text.length > MAX_CHARACTERS) return Option.none()
  const [, bracketed, withoutPort, bare = ""] = PEER.exec(text) ?? []
  return Option.fromNullOr(parseIp((bracketed ?? withoutPort ?? bare).replace(ZONE, "")))
}

const MAX_CHARACTERS = 64
const PEER = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5}|(.*))$/
const ZONE = /(?<=:.*)%.+$/

export interface Peer {
  /** The address at the other end of the socket; null if the host does not know it. */
  readonly socket: string | null
  /** X-Forwarded-For as received: one header, or several in the order of the request. */
  readonly forwardedFor: string | ReadonlyArray<string> | null
}

/**
 * The socket's address or, if that is a trusted proxy, the right-most address in X-Forwarded-For that is not a trusted
 * proxy.
 *
 * Each proxy adds the address it was called from at the right, so everything left of the first address
 * that is not trusted may have been made up by the client. If the walk meets an entry that is not an address, or the
 * end, the answer is the last address that it passed, because the host at that address sent the rest.
 *
 * @example
 * ```ts
 * import { clientAddress } from "@watchword/auth/Networks"
 * import * as Networks from "@watchword/auth/Networks"
 * import * as Result from "effect/Result"
 *
 * const proxies = Result.getOrThrow(Networks.parse(["10.0.0.0/8"]))
 * Networks.clientAddress(proxies, { socket: "10.0.0.1", forwardedFor: "6.6.6.6, 203.0.113.7" }) // "203.0.113.7"
 * ```
 */
export const clientAddress = (proxies: Networks, peer: Peer): string | null => {
  if (peer.socket === null || peer.forwardedFor === null || !contains(proxies, peer.socket)) {
    return peer.socket
  }
  let nearest = peer.socket
  for (const entry of fromTheRight(peer.forwardedFor)) {
    const address = parseAddress(entry)
    if (Option.isNone(address)) return nearest
    nearest = address.value.toString()
    if (!contains(proxies, nearest)) return nearest
  }
  return nearest
}

// Not split all at once: a header may be long, and the answer is usually the last entry. Empty entries do not count
// (RFC 9110 §5.6.1).
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
