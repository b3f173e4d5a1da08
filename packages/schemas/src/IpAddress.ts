/**
 * IP addresses: which texts are one, and which addresses belong to one client.
 *
 * Source: RFC 4291 §2.2, §2.5.5 (IPv4-compatible, IPv4-mapped); RFC 6052 §2.1 (NAT64); RFC 3056 §2 (6to4); RFC 6177.
 */
import ipaddr from "ipaddr.js"

/**
 * An IP address, never an IPv4-mapped one (`::ffff:203.0.113.7`): sockets that listen on IPv6 show IPv4 clients that
 * way.
 */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Reads an address; null for every other text. Ports, brackets and zones do not belong to an address, and IPv4 has four
 * decimal numbers: octal, hexadecimal and shortened ones are different addresses to different software.
 */
export const parse = (text: string): IpAddress | null => {
  if (text.length > MAX_CHARACTERS) return null
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  const hex = withoutDots(text)
  if (hex === null || !ipaddr.IPv6.isValid(hex)) return null
  const address = ipaddr.IPv6.parse(hex)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/**
 * The network of one client, in CIDR notation without the prefix of a single address: an IPv4 address, or the first 64
 * bits of an IPv6 address, because one client can have all addresses that begin with them. An IPv6 address that embeds
 * an IPv4 address belongs to the holder of that address: one holder has 2^80 6to4 addresses, and all of a translator's
 * clients share one /64.
 */
export const networkOf = (address: IpAddress): string => {
  if (address instanceof ipaddr.IPv4) return address.toString()
  const embedding = isOwn(address) ? undefined : EMBEDDINGS.find(({ bits, prefix }) => address.match(prefix, bits))
  if (embedding !== undefined) return ipv4In(address, embedding.bits).toString()
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}

/** More than the 45 of the longest address. */
const MAX_CHARACTERS = 64

// The library takes the IPv4-compatible `::203.0.113.7` for IPv4-mapped, octal numbers for decimal ones, and zones.
const withoutDots = (text: string): string | null => {
  if (!/^[\da-f:.]*$/i.test(text)) return null
  const start = text.lastIndexOf(":") + 1
  if (!text.includes(".")) return text
  const tail = text.slice(start)
  if (!ipaddr.IPv4.isValidFourPartDecimal(tail)) return null
  const [high = 0, low = 0] = ipaddr.IPv4.parse(tail).toIPv4MappedAddress().parts.slice(6)
  return `${text.slice(0, start)}${high.toString(16)}:${low.toString(16)}`
}

/** Prefixes behind whose bits an IPv4 address is: of IPv4-compatible addresses, NAT64 and 6to4. */
const EMBEDDINGS = [
  { prefix: ipaddr.IPv6.parse("::"), bits: 96 },
  { prefix: ipaddr.IPv6.parse("64:ff9b::"), bits: 96 },
  { prefix: ipaddr.IPv6.parse("2002::"), bits: 16 }
]

/** Whether an address of `::/96` is IPv6's own: `::` and `::1`. */
const isOwn = (address: ipaddr.IPv6): boolean => address.range() === "unspecified" || address.range() === "loopback"

const ipv4In = (address: ipaddr.IPv6, bits: number): ipaddr.IPv4 =>
  new ipaddr.IPv4(address.toByteArray().slice(bits / 8, bits / 8 + 4))
