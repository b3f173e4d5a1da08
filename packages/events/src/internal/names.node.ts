/**
 * Addresses of names, asked of DNS servers by packets of this process.
 *
 * `getaddrinfo` works in libuv's thread pool, two names at a time, and cannot be stopped: a name whose servers do not
 * answer would make all others of the process wait. c-ares, which Node's `Resolver` has, uses no thread and can be
 * cancelled. It knows neither `localhost` nor the file of hosts, so both are looked at before. Search domains are not.
 */
import type { LookupAddress } from "node:dns"
import { Resolver } from "node:dns/promises"
import { readFileSync } from "node:fs"
import { isIP } from "node:net"
import * as Cache from "effect/Cache"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import { isLocalhost } from "./Addresses.ts"

/**
 * A name without an address. The code is `ENOTFOUND` if there is no such name, and `ETIMEOUT` if no server answers.
 */
export class Unresolved extends Data.TaggedError("Unresolved")<{ readonly code: string }> {}

export interface Names {
  /** The addresses of a name, or the address itself. */
  readonly addressesOf: (host: string) => Effect.Effect<ReadonlyArray<LookupAddress>, Unresolved>
}

export interface Options {
  /** Servers that are asked, such as `192.0.2.1:53`; the system's unless given. */
  readonly nameServers?: ReadonlyArray<string> | undefined
  /** In milliseconds: for all servers together. */
  readonly timeout: number
}

/** How many names are remembered; the most recently used stay. */
const CAPACITY = 1_000

/** How long an answer is used at most, and never longer than its TTL; and how long a failure is. */
const LONGEST = Duration.seconds(10)
const FAILED_FOR = Duration.seconds(30)

export const make = ({ nameServers, timeout }: Options): Names => {
  const ask = (host: string): Effect.Effect<Answer, Unresolved> =>
    Effect.tryPromise({
      try: (interrupted) => resolved(host, nameServers, AbortSignal.any([interrupted, AbortSignal.timeout(timeout)])),
      catch: (error) => new Unresolved({ code: codeOf(error) })
    })

  // Concurrent requests for a name share one look-up.
  const answers = Effect.runSync(
    Cache.makeWith(ask, {
      capacity: CAPACITY,
      timeToLive: (exit) =>
        Exit.isSuccess(exit) ? Duration.min(Duration.seconds(exit.value.ttl), LONGEST) : FAILED_FOR
    })
  )

  return {
    addressesOf: (host) => {
      const family = isIP(host)
      if (family !== 0) return Effect.succeed([{ address: host, family }])
      return Effect.map(Cache.get(answers, host.toLowerCase()), ({ addresses }) => addresses)
    }
  }
}

interface Answer {
  readonly addresses: ReadonlyArray<LookupAddress>
  /** In seconds. */
  readonly ttl: number
}

const resolved = async (host: string, nameServers: Options["nameServers"], signal: AbortSignal): Promise<Answer> => {
  const local = isLocalhost(host) ? LOOPBACK : inHosts(host)
  if (local.length > 0) return { addresses: local, ttl: Duration.toSeconds(LONGEST) }
  const resolver = new Resolver({ timeout: 1_000, tries: 3 })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  signal.addEventListener("abort", cancel, { once: true })
  const ttl = { ttl: true } as const
  const [four, six] = await Promise.allSettled([resolver.resolve4(host, ttl), resolver.resolve6(host, ttl)])
  signal.removeEventListener("abort", cancel)
  const found = [
    ...(four.status === "fulfilled" ? four.value.map((each) => ({ ...each, family: 4 })) : []),
    ...(six.status === "fulfilled" ? six.value.map((each) => ({ ...each, family: 6 })) : [])
  ]
  if (found.length === 0) throw four.status === "rejected" ? four.reason : new Error("a name without an address")
  return {
    addresses: found.map(({ address, family }) => ({ address, family })),
    ttl: Math.min(...found.map((each) => each.ttl))
  }
}

const LOOPBACK: ReadonlyArray<LookupAddress> = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 }
]

const HOSTS = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts"

/** The addresses that the file of hosts has for a name. It is small, and read without the thread pool. */
const inHosts = (host: string): ReadonlyArray<LookupAddress> =>
  hostLines().flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.includes(host) ? [{ address, family }] : []
  })

const hostLines = (): ReadonlyArray<string> => {
  try {
    return readFileSync(HOSTS, "utf8").split("\n")
  } catch {
    return []
  }
}

const codeOf = (error: unknown): string => {
  const code = Predicate.hasProperty(error, "code") ? error.code : null
  if (code === "ECANCELLED") return "ETIMEOUT"
  return typeof code === "string" ? code : "ENODATA"
}
