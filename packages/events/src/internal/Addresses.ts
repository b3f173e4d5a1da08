/**
 * Addresses that webhooks may be sent to: addresses of the public internet.
 *
 * Loopback, private, link-local, shared, multicast and reserved addresses are refused, among them those at which clouds
 * keep metadata (`169.254.169.254`, `fd00:ec2::254`); and IPv6 addresses that embed an IPv4 address (mapped, 6to4,
 * Teredo, NAT64), because the network behind them decides where they lead.
 *
 * Source: the IANA special-purpose address registries (RFC 6890); RFC 4291 §2.4 (global unicast is 2000::/3).
 */
import { parse } from "@watchword/schemas/IpAddress"
import ipaddr from "ipaddr.js"

/** Whether an IP address, as a resolver or the host of a URL has it, is one of the public internet. */
export const isPublic = (text: string): boolean => {
  const address = parse(text)
  if (address === null || address.range() !== "unicast") return false
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL_UNICAST, 3) : !text.includes(":")
}

const GLOBAL_UNICAST = ipaddr.IPv6.parse("2000::")

/** Whether the host of a URL is an IP address. IPv6 is in brackets there. */
export const isAddress = (host: string): boolean => parse(unbracketed(host)) !== null

/**
 * Whether the host of a URL is an address that is not public, or a name of this host. Of other names it says nothing.
 */
export const isPrivateHost = (host: string): boolean =>
  isAddress(host) ? !isPublic(unbracketed(host)) : isLocalhost(host)

/** Whether a name is one of loopback's (RFC 6761 §6.3). */
export const isLocalhost = (name: string): boolean => /(?:^|\.)localhost\.?$/.test(name)

export const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, "$1")
