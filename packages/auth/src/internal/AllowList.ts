/**
 * The addresses from which an API key may be used.
 */
import * as Networks from "../Networks.ts"

export type AllowList = Networks.Networks

/** Reads the entries of an allow-list: IPv4 and IPv6 addresses and CIDR ranges. */
export const parse = Networks.parse

/**
 * Whether a key with this allow-list may be used from an address. Without entries it may be used from
 * anywhere; with entries not from an address that is unknown or cannot be read. `0.0.0.0/0` is every
 * IPv4 address and `::/0` every IPv6 address.
 */
export const permits = (list: AllowList, address: string | null): boolean =>
  list.networks.length === 0 || (address !== null && Networks.contains(list, address))
