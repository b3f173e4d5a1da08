/**
 * Clients of requests by their addresses, behind proxies too.
 */
import * as Networks from "@watchword/auth/Networks"
import { networkOf } from "@watchword/schemas/IpAddress"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { HostRequest } from "../Host.ts"

export interface Clients {
  /** The address of a request's client; null if its host does not know it. */
  readonly addressOf: (request: HostRequest) => string | null
  /** The network that is one client's; the same for all whose address is not known. */
  readonly networkOf: (request: HostRequest) => string
  /** The address of a request whose X-Forwarded-For is not believed; null for all others. */
  readonly untrusted: (request: HostRequest) => string | null
}

/** @param trustedProxies addresses and CIDR ranges of proxies whose X-Forwarded-For is believed */
export const make = (trustedProxies: ReadonlyArray<string>): Result.Result<Clients, Networks.NetworkError> =>
  Result.map(Networks.parse(trustedProxies), (proxies) => {
    const addressOf = ({ clientAddress: found, headers, remoteAddress }: HostRequest): string | null =>
      found === undefined
        ? Networks.clientAddress(proxies, { socket: remoteAddress, forwardedFor: headers["x-forwarded-for"] ?? null })
        : found
    return {
      addressOf,
      untrusted: ({ clientAddress: found, headers, remoteAddress }) => {
        if (headers["x-forwarded-for"] === undefined || found !== undefined || remoteAddress === null) return null
        return Networks.contains(proxies, remoteAddress) ? null : remoteAddress
      },
      networkOf: (request) =>
        Option.match(Networks.parseAddress(addressOf(request) ?? ""), { onNone: () => "unknown", onSome: networkOf })
    }
  })
