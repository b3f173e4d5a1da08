/**
 * The gateway to trunks over SIP. It places, rings and ends calls only: no media is ever sent, and every answer is hung
 * up on at once. Calls to numbers of the service are heard and refused.
 *
 * A call goes to the first trunk, in order of preference, that takes it. The fields that are needed to end it are given
 * to the caller before the INVITE is sent, so that a later process can end it.
 *
 * Source: RFC 3261, RFC 3263, RFC 3581, RFC 6026, RFC 7616, RFC 8760.
 */
import { type Gateway, RateLimiter, type Said, type Secret, Unrecognized, textOf } from "@watchword/send/gateway"
import { BadRequest, ServiceUnavailable } from "@watchword/schemas/Errors"
import type { DeliveryId } from "@watchword/schemas/Ids"
import { BackgroundAllowed } from "@watchword/send/pipeline"
import type { StoreError } from "@watchword/store/StoreError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Scope } from "effect/Scope"
import * as tls from "node:tls"
import * as CallEnds from "../CallEnds.ts"
import { carrierAmong } from "@watchword/send/channel/Gateways"
import { type Call, CallGateway, type Dialled, type Service } from "../../CallGateway.ts"
import * as SteadyClock from "../SteadyClock.ts"
import * as Timers from "../Timers.ts"
import { isThisMachine } from "./AddressScope.ts"
import { type BeforeInvite, type DialOptions, dial, prepare } from "./dial.ts"
import type { Source } from "./Endpoint.ts"
import * as Identity from "./inbound/Identity.ts"
import type { Certificate, IdentityOptions } from "./inbound/InboundOptions.ts"
import { IncomingCalls } from "./inbound/IncomingCalls.ts"
import { isNumber } from "./Invite.ts"
import type { LegStack } from "./Leg.ts"
import type { Message } from "./Message.ts"
import { OpenLegs } from "./OpenLegs.ts"
import { Peers } from "./Peers.ts"
import { type Options, SipOptionsError, fromUrls, listenAt } from "./Options.ts"
import * as Recovery from "./Recovery.ts"
import * as Trials from "./rehearsal/Trials.ts"
import { RefusedInvites } from "./RefusedInvites.ts"
import * as Resolver from "./Resolver.ts"
import { SipCall } from "./SipCall.ts"
import { answer } from "./StatelessServer.ts"
import type { Streams } from "./StreamServer.ts"
import { Transactions } from "./Transactions.ts"
import * as Transport from "./Transport.ts"
import { type Owner as TrunkOwner, Trunk } from "./Trunk.ts"

const LISTEN = { host: "127.0.0.1", port: 0 }
/** Source: RFC 3261, table 4. */
const VALUES = { t1: 500, t2: 4000, t4: 5000 }
const SETUP = "20 seconds"
const SILENCE = "3 seconds"
const PATIENCE = "2 seconds"
const DRAIN = "5 seconds"
const BIND_PATIENCE = "5 seconds"

/** The gateway, for as long as the scope lives; closing it ends every call. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Service, SipOptionsError, Scope> {
  const clock = yield* Clock.Clock
  const wallClock = () => clock.currentTimeMillisUnsafe()
  const time = yield* SteadyClock.make
  const fork = yield* FiberSet.makeRuntime()
  const listen = options.listen ?? LISTEN
  const silence = Duration.toMillis(options.silence ?? SILENCE)

  const runFork = (effect: Effect.Effect<void>): void => void fork(effect)

  const calls = new Map<DeliveryId, SipCall>()
  const idle = yield* Latch.make(false)
  let isClosing = false
  const checkIdle = (): void => {
    if (isClosing && calls.size === 0 && legs.isEmpty) idle.openUnsafe()
  }

  const values = options.timers ?? VALUES
  const timers = yield* Timers.make
  const transactions = new Transactions(timers, values)
  const legs = new OpenLegs(checkIdle)
  const unrecognized = new Unrecognized()
  const known = { isOurs: (callId: string) => legs.has(callId), refused: new RefusedInvites(timers, 64 * values.t1) }
  let incoming: IncomingCalls | null = null
  const receive = (message: Message, source: Source): void => {
    if (message._tag === "Response") return transactions.receive(message)
    if (incoming?.take(message, source) === true || answer(message, source, known)) return
    runFork(unrecognized.note(source.address, "sip_request", tooLong))
  }
  const peers = new Peers(
    timers,
    64 * values.t1,
    options.trunks.flatMap(({ inbound }) => inbound ?? [])
  )
  const streams = yield* Effect.fromResult(streamsOf(options))
  const listener = { receive, peers, strangers: turns(options.strangers ?? 0, timers), streams }
  const transport = yield* Transport.open(listen, listener, options.bindPatience ?? BIND_PATIENCE)
  const stack: LegStack = { transport, timers, values, transactions, legs, peers }

  const resolver = options.resolver ?? Resolver.system
  const trunks = makeTrunks(options, { stack, resolver, peers, unrecognized, listen, silence, fork: runFork })
  yield* warnOfPlainTrunks(trunks)
  yield* Effect.forEach(trunks, (trunk) => Effect.forkScoped(trunk.watch), { discard: true })
  const dialOptions: DialOptions = {
    stack,
    trunks,
    silence,
    patience: Duration.toMillis(options.patience ?? PATIENCE)
  }

  const ends = yield* CallEnds.make
  const identity = yield* Effect.fromResult(identityOf(options))
  incoming = new IncomingCalls({
    timers,
    values,
    trunks,
    identity,
    hear: ends.stored,
    isClosing: () => isClosing,
    fork: runFork
  })
  const owner = {
    timers,
    time,
    setup: Duration.toMillis(options.setupTimeout ?? SETUP),
    ended: ends.publish,
    forget: ({ order }: SipCall) => {
      calls.delete(order.delivery)
      checkIdle()
    }
  }

  const drain = Effect.suspend(() => {
    isClosing = true
    for (const call of calls.values()) call.hangup("ORIGINATOR_CANCEL")
    checkIdle()
    return Effect.asVoid(Effect.timeoutOption(idle.await, options.drain ?? DRAIN))
  })
  yield* Effect.addFinalizer(() =>
    Effect.andThen(
      Effect.interruptible(drain),
      Effect.sync(() => {
        for (const call of calls.values()) call.abandon()
      })
    )
  )

  const place = (order: Call, beforeInvite: BeforeInvite): Effect.Effect<Dialled, StoreError> =>
    Effect.suspend(() => {
      if (isClosing) return Effect.succeed(closed)
      if (!isNumber(order.callee)) return Effect.succeed(badNumber("callee"))
      if (!isNumber(order.caller)) return Effect.succeed(badNumber("caller"))
      if (calls.has(order.delivery)) return Effect.die(new Error("this delivery has a call already"))
      const call = new SipCall(order, owner)
      calls.set(order.delivery, call)
      return Effect.onExit(dial(dialOptions, call, beforeInvite), (exit) => {
        if (exit._tag === "Failure" || exit.value._tag === "Failed") call.leave()
        return Effect.void
      })
    })

  /** Places a call of a rehearsal, which no record knows of. */
  const rehearse = ({ ended, heard, order, trunks }: Trials.Placing): Effect.Effect<Dialled> =>
    Effect.suspend(() => {
      if (isClosing) return Effect.succeed(closed)
      const call = new SipCall(order, { ...owner, ended }, heard)
      calls.set(order.delivery, call)
      return Effect.onExit(Effect.orDie(dial({ ...dialOptions, trunks }, call, () => Effect.void)), (exit) => {
        if (exit._tag === "Failure" || exit.value._tag === "Failed") call.leave()
        return Effect.void
      })
    })

  const recover = yield* Recovery.make({
    stack,
    trunks,
    listener,
    wallClock,
    fork: runFork,
    ended: ends.publish
  })
  return {
    dial: place,
    prepare: (numbers) => (isClosing ? null : prepare(dialOptions, numbers)),
    hangup: (delivery, reason) => Effect.sync(() => calls.get(delivery)?.hangup(reason) ?? false),
    events: ends.subscribe,
    rehearsal: Trials.make(trunks, rehearse, ({ delivery }) => void calls.get(delivery)?.hangup("NO_ANSWER")),
    ...carrierAmong(trunks.map(({ options: { carrier, host } }) => carrier ?? host)),
    recover,
    receives: () => [...new Set(options.trunks.flatMap(({ receives }) => receives))],
    drain,
    health: Effect.sync(() =>
      trunks.map(({ health, name, options: { host, tls } }) => {
        const certificateEnds = transport.certificateEnds(tls.servername ?? host)
        return {
          name,
          up: health.isUp(timers.now()),
          unrecognized: unrecognized.seen(name),
          ...(certificateEnds === null ? {} : { certificateEnds })
        }
      })
    )
  }
})

const tooLong: Said = {
  word: "too long",
  message: "a SIP trunk sent a request whose answer would be longer than 16 KiB; it was dropped"
}

/**
 * The connections to listen for: over TCP where a trunk uses it, or over TLS where there is a certificate.
 *
 * At a port of the system's choice they are listened for only where calls are received.
 */
const streamsOf = ({
  certificate,
  listen = LISTEN,
  trunks
}: Options): Result.Result<Streams | null, SipOptionsError> => {
  const used = trunks.filter(({ receives }) => listen.port !== 0 || receives.length > 0)
  const hasTcp = used.some(({ protocol }) => protocol === "tcp")
  const hasTls = certificate !== undefined && used.some(({ protocol }) => protocol === "tls")
  if (hasTcp && hasTls) {
    const message =
      "Trunks over TCP and over TLS cannot bring calls to one SIP listen address: make them carriers of their own, each " +
      "with an address of its own."
    return Result.fail(new SipOptionsError({ setting: "listen", message }))
  }
  if (!hasTls) return Result.succeed(hasTcp ? { certificate: null } : null)
  return Result.mapBoth(
    Result.try(() => tls.createSecureContext({ ...certificate })),
    {
      onFailure: () =>
        new SipOptionsError({
          setting: "certificate",
          message: "The certificate for SIP must be one in PEM form, with the key that belongs to it."
        }),
      onSuccess: () => ({ certificate })
    }
  )
}

const identityOf = ({ identity }: Options): Result.Result<Identity.Identity | null, SipOptionsError> => {
  if (identity === undefined) return Result.succeed(null)
  return Result.mapError(
    Result.try(() => Identity.make(identity)),
    () =>
      new SipOptionsError({ setting: "identity", message: "The roots for Identity must be certificates in PEM form." })
  )
}

/** Says which trunks calls leave to in clear, other than those on this machine. */
const warnOfPlainTrunks = (trunks: ReadonlyArray<Trunk>): Effect.Effect<void> => {
  const plain = trunks.filter(({ options: { host, protocol } }) => protocol !== "tls" && !isThisMachine(host))
  if (plain.length === 0) return Effect.void
  return Effect.logWarning("SIP trunks without TLS: the numbers of calls can be read and changed on the way", {
    trunks: plain.map(({ name }) => name)
  })
}

/** Grants so many turns a second. */
const turns = (limit: number, { now }: Timers.Timers): (() => boolean) => {
  if (limit === 0) return () => false
  const limiter = new RateLimiter(limit)
  return () => {
    const isGranted = limiter.availableAt(now()) <= now()
    if (isGranted) limiter.take(now())
    return isGranted
  }
}

const makeTrunks = (options: Options, owner: TrunkOwner): ReadonlyArray<Trunk> => {
  const names = new Map<string, number>()
  return options.trunks.map((each) => {
    const address = `${each.host}${each.port === null ? "" : `:${each.port}`}`
    const count = (names.get(address) ?? 0) + 1
    names.set(address, count)
    return new Trunk(count === 1 ? address : `${address}#${count}`, each, owner)
  })
}

const closed: Dialled = {
  _tag: "Failed",
  failure: new ServiceUnavailable({ message: "The service is shutting down." }),
  cause: { hangupCause: "SYSTEM_SHUTDOWN", sipStatus: null, q850: null }
}

const badNumber = (path: "caller" | "callee"): Dialled => ({
  _tag: "Failed",
  failure: new BadRequest({
    message: "The call has an invalid number.",
    issues: [{ path, message: "must be a phone number in E.164 form" }]
  }),
  cause: { hangupCause: "INVALID_NUMBER_FORMAT", sipStatus: null, q850: null }
})

/** The gateway to these trunks. */
export const layer = (options: Options): Layer.Layer<CallGateway, SipOptionsError> =>
  Layer.effect(CallGateway, make(options))

export interface SipInput {
  /** The trunk, such as `sip:id:secret@trunk.example;cps=20`, or several with commas between them. */
  readonly url: Secret
  /** The local address that trunks can reach, such as `192.0.2.10:5060`; `127.0.0.1:0` by default. */
  readonly listen?: string | undefined
  /** Whose signatures of callers' numbers are believed. */
  readonly identity?: IdentityOptions | undefined
  /** The certificate of the listen address, for calls to us by trunks with TLS. */
  readonly certificate?: Certificate | undefined
}

/**
 * The gateway to the trunks of a URL, as {@link fromUrls} reads it.
 *
 * @example
 * ```ts
 * import { sip } from "@watchword/call/sip"
 *
 * const gateway = sip({ url: "sip:id:secret@trunk.example;cps=20", listen: "192.0.2.10:5060" })
 * ```
 */
export const sip = ({ listen = "127.0.0.1:0", url, ...inbound }: SipInput): Gateway<CallGateway, SipOptionsError> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const options = yield* Effect.fromResult(fromUrls(textOf(url)))
      if (!(yield* BackgroundAllowed)) return yield* misplaced
      return layer({ ...options, ...inbound, listen: yield* Effect.fromResult(listenAt(listen)) })
    })
  )

const misplaced = new SipOptionsError({
  setting: "call",
  message: "SIP needs sockets that last, and here nothing outlives a request: run the call channel on Node."
})
