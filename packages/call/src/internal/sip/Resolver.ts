/**
 * Resolution of host names to addresses and ports by DNS.
 *
 * Source: RFC 3263 §4 (without NAPTR: a trunk's transport is a setting), RFC 2782.
 */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as dns from "node:dns/promises"
import { isIP } from "node:net"
import type { Protocol } from "./Endpoint.ts"

/** DNS lookups. A rejected promise means that there is no such record. */
export interface Resolver {
  readonly srv: (name: string) => Promise<ReadonlyArray<Srv>>
  readonly addresses: (host: string, family: 4 | 6) => Promise<ReadonlyArray<string>>
}

export interface Srv {
  readonly name: string
  readonly port: number
  readonly priority: number
  readonly weight: number
}

/** The resolver of the operating system. */
export const system: Resolver = {
  srv: (name) => dns.resolveSrv(name),
  addresses: async (host, family) => {
    const found = await dns.lookup(host, { family, all: true })
    return found.map(({ address }) => address)
  }
}

/** An IP address and a port. */
export interface Place {
  readonly address: string
  readonly port: number
}

const PATIENCE = "5 seconds"

const services = { udp: "_sip._udp", tcp: "_sip._tcp", tls: "_sips._tcp" }

const usualPort = (protocol: Protocol): number => (protocol === "tls" ? 5061 : 5060)

/** The addresses of a host, best first; none when it cannot be resolved. */
export const locate = Effect.fnUntraced(function* (
  resolver: Resolver,
  host: string,
  port: number | null,
  protocol: Protocol,
  family: 4 | 6
): Effect.fn.Return<ReadonlyArray<Place>> {
  const usual = port ?? usualPort(protocol)
  if (isIP(host) !== 0) return isIP(host) === family ? [{ address: host, port: usual }] : []
  const records = port === null ? yield* asked(() => resolver.srv(`${services[protocol]}.${host}`)) : []
  // A single record with the target "." means that the service is not provided (RFC 2782).
  if (records.length === 1 && ["", "."].includes(records[0]?.name ?? "")) return []
  const hosts = records.length === 0 ? [{ name: host, port: usual }] : yield* inOrder(records)
  const places = yield* Effect.forEach(hosts, ({ name, port }) =>
    Effect.map(
      asked(() => resolver.addresses(name, family)),
      (addresses) => addresses.filter((address) => isIP(address) === family).map((address) => ({ address, port }))
    )
  )
  return places.flat()
})

/** Empty when there is no such record, or no answer in time. */
const asked = <A>(ask: () => Promise<ReadonlyArray<A>>): Effect.Effect<ReadonlyArray<A>> =>
  Effect.tryPromise(ask).pipe(
    Effect.timeout(PATIENCE),
    Effect.orElseSucceed(() => [])
  )

/** By priority, and within one priority in weighted random order. */
const inOrder = Effect.fnUntraced(function* (records: ReadonlyArray<Srv>) {
  const left = records.toSorted((a, b) => a.priority - b.priority || a.weight - b.weight)
  const ordered: Array<Srv> = []
  while (left.length > 0) {
    const peers = left.filter(({ priority }) => priority === left[0]?.priority)
    let drawn = (yield* Random.next) * peers.reduce((sum, { weight }) => sum + weight, 0)
    const index = peers.findIndex(({ weight }) => (drawn -= weight) <= 0)
    ordered.push(...left.splice(Math.max(0, index), 1))
  }
  return ordered
})
