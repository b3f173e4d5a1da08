/**
 * One of the gateway's trunks: where it is, and what it has let us know so far.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { isIP } from "node:net"
import { Credentials } from "./Digest.ts"
import { Health } from "./Health.ts"
import * as HeaderValue from "./HeaderValue.ts"
import { newBranch } from "./Invite.ts"
import type { Response } from "./Message.ts"
import type { Address, TrunkOptions } from "./Options.ts"
import { Pace } from "./Pace.ts"
import { RequestBuilder } from "./RequestBuilder.ts"
import { type Resolver, locate, usualPort } from "./Resolver.ts"
import { type Answer, type Stack, request } from "./Transactions.ts"
import type { Endpoint } from "./Endpoint.ts"
import { localAddress } from "./Transport.ts"

/** What a trunk needs of its gateway. */
export interface Owner {
  readonly stack: Stack
  readonly resolver: Resolver
  readonly listen: Address
  readonly silence: number
  /** Runs something outside of any fiber. */
  readonly fork: (effect: Effect.Effect<void>) => void
}

/** How long addresses out of DNS are used. */
const FRESH = Duration.minutes(1)
/** Time between two OPTIONS while the trunk's health is in doubt. */
const DOUBT = Duration.seconds(5)

export class Trunk {
  /** For people; it holds no password. */
  readonly name: string
  readonly options: TrunkOptions
  readonly credentials: Credentials
  readonly health = new Health()
  readonly pace: Pace
  /** Where it can be reached, best first; none before DNS has answered. */
  endpoints: ReadonlyArray<Endpoint> = []
  builder: RequestBuilder
  /** Our address, as a Via has it. */
  private local: Address
  /** Our address, as the trunk sees it: not the same behind NAT. */
  private seen: Address
  private readonly owner: Owner
  private freshUntil = Number.NEGATIVE_INFINITY
  private answersOptions = false
  private sequence = 0

  constructor(name: string, options: TrunkOptions, owner: Owner) {
    this.name = name
    this.options = options
    this.credentials = new Credentials(options.user, options.password)
    this.pace = new Pace(options.cps)
    this.local = owner.stack.transport.local
    this.seen = this.local
    this.builder = new RequestBuilder(name, options, this.local, this.seen)
    this.owner = owner
  }

  /** Looks the trunk up when what is known is old. What was known is kept when DNS does not answer. */
  readonly resolve: Effect.Effect<void> = Effect.suspend(() => {
    const { owner, options } = this
    const { timers, transport } = owner.stack
    const { host, port } = options.proxy ?? options
    if (timers.now() < this.freshUntil) return Effect.void
    return Effect.gen({ self: this }, function* () {
      const places = yield* locate(owner.resolver, host, port, options.protocol, transport.family)
      const [first] = places
      if (first === undefined) return yield* this.failed("its name cannot be resolved to an address")
      // The certificate is for the name, whatever the address behind it.
      const tls = isIP(host) === 0 ? { servername: host, ...options.tls } : options.tls
      this.endpoints = places.map((place) => ({ ...place, protocol: options.protocol, tls }))
      this.freshUntil = timers.now() + Duration.toMillis(FRESH)
      const address = yield* localAddress(owner.listen, first.address)
      if (address === this.local.host) return
      this.local = { host: address, port: transport.local.port }
      this.seenAt(this.local)
    })
  })

  /** Asks from time to time whether the trunk is there, for as long as it runs. */
  readonly watch: Effect.Effect<never> = Effect.gen({ self: this }, function* () {
    const { keepAlive } = this.options
    for (;;) {
      yield* this.resolve
      if (keepAlive !== null && this.endpoints.length > 0) yield* this.ask
      const every = keepAlive ?? FRESH
      yield* Effect.sleep(this.health.isDoubtful ? Duration.min(DOUBT, every) : every)
    }
  })

  /** Something came from the trunk. */
  heard(response: Response): void {
    if (this.health.heard()) this.owner.fork(Effect.logInfo("a SIP trunk is back", { trunk: this.name }))
    this.learn(response)
  }

  /** A call or a question was in vain. */
  failed(reason: string): Effect.Effect<void> {
    return Effect.suspend(() =>
      this.health.failed(this.owner.stack.timers.now())
        ? Effect.logError("a SIP trunk is down and will be tried again", { trunk: this.name, reason })
        : Effect.logWarning("a SIP trunk failed", { trunk: this.name, reason })
    )
  }

  /** The place that answered nothing is tried last from now on. */
  demote(endpoint: Endpoint): void {
    if (this.endpoints.length > 1) this.endpoints = [...this.endpoints.filter((each) => each !== endpoint), endpoint]
  }

  /** Finds out where a URI of one of its dialogs is reached; at the trunk itself when nobody knows. */
  reach(uri: string, trunk: Endpoint, send: (endpoint: Endpoint) => void): void {
    const read = HeaderValue.parseUri(uri)
    const { stack, resolver, fork } = this.owner
    if (read === undefined || read.host === this.options.host || read.host === trunk.address) {
      // A port of its own counts over UDP only: there is a connection already.
      const port = trunk.protocol === "udp" ? (read?.port ?? trunk.port) : trunk.port
      return send(port === trunk.port ? trunk : { ...trunk, port })
    }
    const protocol = protocolOf(read, trunk)
    if (isIP(read.host) !== 0) {
      return send({ ...trunk, protocol, address: read.host, port: read.port ?? usualPort(protocol) })
    }
    fork(
      Effect.map(locate(resolver, read.host, read.port, protocol, stack.transport.family), ([place]) =>
        send(place === undefined ? trunk : { protocol, ...place, tls: { ...trunk.tls, servername: read.host } })
      )
    )
  }

  private readonly ask: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    const [endpoint] = this.endpoints
    if (endpoint === undefined) return
    const answered = new Set<string>()
    for (;;) {
      const answer = yield* this.option(endpoint)
      if (answer === null || typeof answer === "string") {
        this.demote(endpoint)
        // A trunk may take calls and know no OPTIONS.
        if (this.answersOptions || answer !== null) yield* this.failed(answer ?? "it does not answer OPTIONS")
        return
      }
      this.answersOptions = true
      if ([401, 407].includes(answer.status) && this.credentials.challenged(answer, answered)) continue
      if (answer.status === 503) {
        const seconds = HeaderValue.retryAfter(answer.headers.first("retry-after"))
        if (seconds !== null) this.health.rest(this.owner.stack.timers.now(), seconds)
        return yield* this.failed("it answers OPTIONS with 503")
      }
      return this.heard(answer)
    }
  })

  private option(endpoint: Endpoint): Effect.Effect<Answer> {
    const { stack, silence } = this.owner
    return Effect.callback<Answer>((resume) => {
      const branch = newBranch()
      const text = this.builder.optionsText(endpoint, branch, ++this.sequence, (uri) =>
        this.credentials.lines("OPTIONS", uri)
      )
      const timer = stack.timers.after(silence, () => resume(Effect.succeed(null)))
      request(stack, { method: "OPTIONS", branch, text, endpoint }, (answer) => {
        timer.cancel()
        resume(Effect.succeed(answer))
      })
    })
  }

  /** Reads our address as the trunk saw it. Source: RFC 3581 §4. */
  private learn({ via }: Response): void {
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
