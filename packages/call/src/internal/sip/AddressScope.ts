/**
 * The scope of IP addresses: from where an address can be reached.
 *
 * Source: RFC 6890; RFC 1918, RFC 3927, RFC 4193, RFC 4291, RFC 6598.
 */
import { BlockList, isIP, isIPv6 } from "node:net"

export type AddressScope = "loopback" | "link-local" | "private" | "reserved" | "public"

const networks: ReadonlyArray<readonly [AddressScope, ReadonlyArray<readonly [network: string, prefix: number]>]> = [
  [
    "loopback",
    [
      ["127.0.0.0", 8],
      ["::1", 128]
    ]
  ],
  [
    "link-local",
    [
      ["169.254.0.0", 16],
      ["fe80::", 10]
    ]
  ],
  [
    "private",
    [
      ["10.0.0.0", 8],
      ["172.16.0.0", 12],
      ["192.168.0.0", 16],
      ["100.64.0.0", 10],
      ["fc00::", 7]
    ]
  ],
  [
    "reserved",
    [
      ["0.0.0.0", 8],
      ["224.0.0.0", 3],
      ["::", 128],
      ["ff00::", 8]
    ]
  ]
]

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4")

const lists = networks.map(([scope, subnets]) => {
  const list = new BlockList()
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, familyOf(network))
  return { scope, list }
})

export const scopeOf = (address: string): AddressScope =>
  lists.find(({ list }) => list.check(address, familyOf(address)))?.scope ?? "public"

/** Whether a host is a loopback address or its usual name. */
export const isThisMachine = (host: string): boolean =>
  host === "localhost" || (isIP(host) !== 0 && scopeOf(host) === "loopback")

/**
 * Whether requests of a dialog may leave the trunk's address for another: not for networks that the trunk is not in.
 */
export const isReachableFrom = (trunk: string, address: string): boolean => {
  const scope = scopeOf(address)
  return scope === "public" || (scope !== "reserved" && scope === scopeOf(trunk))
}
