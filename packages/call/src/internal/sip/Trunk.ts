/**
 * One trunk of the gateway: its endpoints, its health, and our address as it sees it.
 */
import { contains } from "@watchword/auth/Networks"
import { RateLimiter, type Said, type Unrecognized } from "@watchword/send/gateway"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { isIP } from "node:net"
import { type Result, sendRequest } from "./ClientTransaction.ts"
import { isReachableFrom } from "./AddressScope.ts"
import { Credentials, type Rounds } from "./Digest.ts"
import type { Endpoint } from "./Endpoint.ts"
import * as HeaderValue from "./HeaderValue.ts"
import { newBranch } from "./Invite.ts"
import type { Response } from "./Message.ts"
import { type Peers, canonical } from "./Peers.ts"
import type { Address, TrunkOptions } from "./Options.ts"
import { Refusals } from "./Refusals.ts"
import { RequestBuilder } from "./RequestBuilder.ts"
import { type Resolver, locate } from "./Resolver.ts"
import type { Stack } from "./Transactions.ts"
import { localAddress } from "./Transport.ts"
import { TrunkHealth } from "./TrunkHealth.ts"
import { unknownIn } from "./Unknown.ts"

/** The parts of the gateway that a trunk uses. */
export interface Owner {
  readonly stack: Stack
  readonly resolver: Resolver
  readonly peers: Peers
  readonly unrecognized: Unrecognized
  readonly listen: Address
  /** Milliseconds that an OPTIONS may take to be answered. */
  readonly silence: number
  /** Runs an effect from outside of any fiber. */
  readonly fork: (effect: Effect.Effect<void>) => void
}

/** How long addresses from DNS are used. */
const FRESH = Duration.minutes(1)
/** Time between two OPTIONS after a failure. */
const DOUBT = Duration.seconds(5)

export class Trunk {
  /** For logs and metrics; it holds no password. */
  readonly name: string
  readonly options: TrunkOptions
  readonly credentials: Credentials
  readonly health: TrunkHealth
  readonly limiter: RateLimiter
  readonly refusals = new Refusals()
  /** Best first; empty until DNS has answered. */
  endpoints: ReadonlyArray<Endpoint> = []
  builder: RequestBuilder
  /** Our address for Via. */
  private local: Address
  /** Our address as the trunk sees it: not the same behind NAT. */
  private seen: Address
  private readonly owner: Owner
  private freshUntil = Number.NEGATIVE_INFINITY
  private answersOptions = false
  private sequence = 0

  constructor(name: string, options: TrunkOptions, owner: Owner) {
    this.name = name
    this.options = options
    this.credentials = new Credentials(options.user, options.password)
    this.health = new TrunkHealth(options.keepAlive !== null)
    this.limiter = new RateLimiter(options.cps)
    this.local = owner.stack.transport.local
    this.seen = this.local
    this.builder = new RequestBuilder(name, options, this.local, this.seen)
    this.owner = owner
  }

  /** Resolves the trunk's host when the last answer is old. Known endpoints are kept when DNS does not answer. */
  readonly resolve: Effect.Effect<void> = Effect.suspend(() => {
    const { owner, options } = this
    const { timers, transport } = owner.stack
    const { host, port } = options.proxy ?? options
    if (timers.now() < this.freshUntil) return Effect.void
    return Effect.gen({ self: this }, function* () {
      const places = yield* locate(owner.resolver, host, port, options.protocol, transport.family)
      const [first] = places
      if (first === undefined) return yield* this.failed("its name cannot be resolved to an address")
      // The certificate is issued for the name, not for the address.
      const tls = isIP(host) === 0 ? { servername: host, ...options.tls } : options.tls
      for (const { address } of places) owner.peers.add(address)
      for (const { address } of this.endpoints) owner.peers.release(address)
      this.endpoints = places.map((place) => ({ ...place, protocol: options.protocol, tls }))
      this.freshUntil = timers.now() + Duration.toMillis(FRESH)
      const address = yield* localAddress(owner.listen, first.address)
      if (address === this.local.host) return
      this.local = { host: address, port: transport.local.port }
      this.seenAt(this.local)
    })
  })

  /** Resolves the trunk and sends it OPTIONS, for as long as it runs. */
  readonly watch: Effect.Effect<never> = Effect.gen({ self: this }, function* () {
    const { keepAlive } = this.options
    for (;;) {
      yield* this.resolve
      if (keepAlive !== null && this.endpoints.length > 0) yield* this.ping
      const every = keepAlive ?? FRESH
      yield* Effect.sleep(this.health.isDoubtful ? Duration.min(DOUBT, every) : every)
    }
  })

  /** Whether its requests may come from an address. */
  sends(address: string): boolean {
    const { inbound } = this.options
    return (
      this.endpoints.some((each) => canonical(each.address) === address) ||
      (inbound !== null && contains(inbound, address))
    )
  }

  /** Records a response. */
  heard(response: Response): void {
    if (this.health.heard()) this.owner.fork(Effect.logInfo("a SIP trunk is back", { trunk: this.name }))
    this.learnAddress(response)
  }

  /** Records that it did not respond, or that it is not in service. */
  failed(reason: string): Effect.Effect<void> {
    return Effect.suspend(() => this.complain(this.health.failed(this.now), reason))
  }

  /** Records a call that it rejected for a reason of its own. */
  rejected(destination: string, { headers, status }: Response): Effect.Effect<void> {
    const rest = HeaderValue.retryAfter(headers.first("retry-after")) ?? 0
    const reason = `it answers an INVITE with ${status}`
    return Effect.suspend(() => this.complain(this.health.rejected(this.now, destination, rest), reason))
  }

  /** Records a call that it took, whatever became of it. */
  took(): void {
    this.health.took(this.now)
    this.refusals.took()
  }

  /** Notes the parts of a response that nothing here reads. */
  noteUnknown(response: Response): void {
    for (const { kind, said } of unknownIn(response)) this.note(kind, said)
  }

  /** Notes unrecognized words of the trunk. */
  note(kind: string, said: Said): void {
    this.owner.fork(this.owner.unrecognized.note(this.name, kind, said))
  }

  /** Tries an endpoint that did not respond last from now on. */
  demote(endpoint: Endpoint): void {
    if (this.endpoints.length > 1) this.endpoints = [...this.endpoints.filter((each) => each !== endpoint), endpoint]
  }

  /**
   * Finds the endpoint of a request in a dialog. Its URI is of the other side's choice, or even of the callee's: it
   * may name a port of the trunk, and with `follow` another host, but no other protocol.
   */
  reach(uri: string, trunk: Endpoint, send: (endpoint: Endpoint) => void): void {
    const read = HeaderValue.parseUri(uri)
    if (read === undefined) return send(trunk)
    const own = this.ownEndpoint(read.host, trunk)
    if (own !== null) {
      // With TCP and TLS the connection to the trunk is used.
      const port = own.protocol === "udp" ? (read.port ?? own.port) : own.port
      return send(port === own.port ? own : { ...own, port })
    }
    const { follow, fork, resolver, stack } = { ...this.options, ...this.owner }
    if (follow !== "contact" || protocolOf(read, trunk) !== trunk.protocol) return send(trunk)
    const { family } = stack.transport
    fork(
      Effect.map(locate(resolver, read.host, read.port, trunk.protocol, family), ([place]) => {
        if (place === undefined || !isReachableFrom(trunk.address, place.address)) return send(trunk)
        const name = isIP(read.host) === 0 ? { servername: read.host } : {}
        send({ protocol: trunk.protocol, ...place, tls: { ...trunk.tls, ...name } })
      })
    )
  }

  /** The trunk's endpoint at a host; null when the host is not the trunk's. */
  private ownEndpoint(host: string, trunk: Endpoint): Endpoint | null {
    const { options } = this
    if (host === options.host || host === options.proxy?.host || host === trunk.address) return trunk
    return this.endpoints.find(({ address }) => address === host) ?? null
  }

  /** Sends OPTIONS, again with credentials when the trunk asks for them. */
  private readonly ping: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    const [endpoint] = this.endpoints
    if (endpoint === undefined) return
    const rounds: Rounds = new Map()
    for (;;) {
      const result = yield* this.sendOptions(endpoint)
      if (result._tag === "NoResponse") {
        this.demote(endpoint)
        // A trunk may take calls without knowing OPTIONS.
        if (!this.answersOptions && result.reason === null) return
        return yield* this.failed(result.reason ?? "it does not answer OPTIONS")
      }
      this.answersOptions = true
      if (this.credentials.challenged(result, endpoint, rounds)) continue
      if (result.status !== 503) return this.heard(result)
      const seconds = HeaderValue.retryAfter(result.headers.first("retry-after"))
      if (seconds !== null) this.health.rest(this.now, seconds)
      return yield* this.failed("it answers OPTIONS with 503")
    }
  })

  /** Milliseconds by the clock of its health. */
  get now(): number {
    return this.owner.stack.timers.now()
  }

  private complain(isDown: boolean, reason: string): Effect.Effect<void> {
    return isDown
      ? Effect.logError("a SIP trunk is down and will be tried again", { trunk: this.name, reason })
      : Effect.logWarning("a SIP trunk failed", { trunk: this.name, reason })
  }

  private sendOptions(endpoint: Endpoint): Effect.Effect<Result> {
    const { stack, silence } = this.owner
    return Effect.callback<Result>((resume) => {
      const branch = newBranch()
      const { builder } = this
      const text = builder.optionsText(endpoint, branch, ++this.sequence, (uri) =>
        this.credentials.lines("OPTIONS", uri, endpoint)
      )
      const timer = stack.timers.after(silence, () => resume(Effect.succeed({ _tag: "NoResponse", reason: null })))
      sendRequest(stack, { method: "OPTIONS", branch, sentBy: builder.sentBy, text, endpoint }, (result) => {
        timer.cancel()
        resume(Effect.succeed(result))
      })
    })
  }

  /** Reads our address as the trunk saw it. Source: RFC 3581 §4. */
  private learnAddress({ via }: Response): void {
    if (this.options.protocol !== "udp") return
    const host = HeaderValue.parameter(via, "received") ?? this.local.host
    const port = Number(HeaderValue.parameter(via, "rport") || this.local.port)
    if (host === this.seen.host && port === this.seen.port) return
    if (isIP(host) !== 0 && Number.isInteger(port) && port > 0 && port <= 65_535) this.seenAt({ host, port })
  }

  private seenAt(address: Address): void {
    this.seen = address
    this.builder = new RequestBuilder(this.name, this.options, this.local, address)
  }
}

const protocolOf = ({ transport, scheme }: HeaderValue.Uri, trunk: Endpoint): Endpoint["protocol"] => {
  if (scheme === "sips") return "tls"
  return transport === "udp" || transport === "tcp" || transport === "tls" ? transport : trunk.protocol
}
