/**
 * Keeps a link bound: connects, sends the bind request, probes the session with enquire_link, and starts over with a
 * back-off when the session ends.
 *
 * Source: SMPP 3.4 §2.2 (sessions), §2.7.2 (enquire_link), §4.1, §4.2.
 */
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Scope } from "effect/Scope"
import * as net from "node:net"
import * as tls from "node:tls"
import { certificateEnd } from "@watchword/send/gateway"
import * as Backoff from "./Backoff.ts"
import * as CommandStatus from "./CommandStatus.ts"
import { Connection } from "./Connection.ts"
import type { DeliverSm } from "./DeliverSm.ts"
import type { Link } from "./Link.ts"
import type { Asked } from "./Notes.ts"
import type { LinkOptions } from "./Options.ts"
import * as Pdu from "./Pdu.ts"

/** The gateway that a link belongs to. */
export interface Owner {
  readonly now: () => number
  readonly delivered: (link: Link, message: DeliverSm, answer: (status: number) => void) => void
  /** The link has become usable or unusable, or has room again. */
  readonly changed: () => void
  /** Notes a status that is not of the standard, or that answers nothing. */
  readonly noted: (link: Link, asked: Asked, status: number) => Effect.Effect<void>
  /** Logs from outside of any fiber. */
  readonly log: (effect: Effect.Effect<void>) => void
}

const CONNECT_LIMIT = Duration.seconds(10)
const TLS_LIMIT = Duration.seconds(5)
const ANSWER_LIMIT = Duration.seconds(5)
/** How long a carrier that unbound may take to close the connection. */
const FAREWELL = Duration.seconds(2)
/** A session that lasted this many milliseconds resets the back-off. */
const STABLE = 10_000

/** Keeps a link bound until it is interrupted. */
export const keepBound = Effect.fnUntraced(function* (link: Link, owner: Owner): Effect.fn.Return<never> {
  for (let attempt = 0; ; attempt++) {
    const end = yield* Effect.scoped(session(link, owner))
    link.down(owner.now(), end.failure)
    if (end.boundFor > STABLE) attempt = 0
    const wait = Backoff.delay(end.failure, attempt, yield* Random.next)
    const log = end.failure === "refused" ? Effect.logError : Effect.logWarning
    yield* log("an SMPP link is down and will reconnect", { link: link.name, reason: end.reason, wait })
    owner.changed()
    yield* Effect.sleep(wait)
  }
})

/** Sends unbind, if there is a session, and waits for its response. */
export const unbind = (link: Link): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { connection, options } = link
    if (connection === undefined) return Effect.void
    connection.leave()
    return Effect.asVoid(request(connection, options, (sequence) => Pdu.encode("unbind", sequence)))
  })

/** How a session ended, and how many milliseconds it had been bound. */
interface End {
  readonly failure: Backoff.Failure
  readonly reason: string
  readonly boundFor: number
}

const lost = (reason: string, boundFor = 0): End => ({ failure: "lost", reason, boundFor })

/** One session, from connecting to its end. */
const session = Effect.fnUntraced(function* (link: Link, owner: Owner): Effect.fn.Return<End, never, Scope> {
  const { options } = link
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => openSocket(options)),
    (socket) => Effect.sync(() => socket.destroy())
  )
  const connecting = yield* Effect.result(connected(socket))
  if (Result.isFailure(connecting)) return lost(connecting.failure)
  if (socket instanceof tls.TLSSocket) link.certificateEnds = certificateEnd(socket)

  const closed = yield* Deferred.make<string>()
  const doubt = yield* Latch.make(false)
  const unbound = yield* Latch.make(false)
  const forgotten = yield* Deferred.make<string>()
  const drained = yield* Latch.make(false)
  const connection = new Connection(socket, {
    delivered: (message, answer) => owner.delivered(link, message, answer),
    ready: () => {
      owner.changed()
      if (!connection.isOpen && connection.outstanding === 0) drained.openUnsafe()
    },
    doubtful: () => void doubt.openUnsafe(),
    unbound: () => {
      link.leaving(owner.now())
      unbound.openUnsafe()
    },
    forgotten: (reason) => {
      link.leaving(owner.now())
      Deferred.doneUnsafe(forgotten, Effect.succeed(reason))
    },
    nacked: (status) => owner.log(owner.noted(link, "generic_nack", status)),
    noticed: (notice) => owner.log(Effect.logWarning(notice, { link: link.name })),
    closed: (reason) => void Deferred.doneUnsafe(closed, Effect.succeed(reason))
  })
  const bound = yield* request(connection, options, (sequence) => bindOf(options, sequence))
  if (Option.isNone(bound)) return lost("the carrier does not answer the bind request")
  if (bound.value === null)
    return lost(`${yield* Deferred.await(closed)}, before it answered the bind; ${unheard(options)}`)
  if (bound.value !== CommandStatus.OK) {
    if (!Pdu.isStatus(bound.value)) yield* owner.noted(link, "bind", bound.value)
    return {
      failure: failureOf(bound.value),
      reason: `the bind was answered with ${answerOf(bound.value)}`,
      boundFor: 0
    }
  }

  const boundAt = owner.now()
  link.up(connection)
  yield* Effect.logInfo("an SMPP link is bound", { link: link.name })
  owner.changed()
  const reason = yield* Effect.raceAllFirst([
    Deferred.await(closed),
    watch(connection, options, doubt, (status) => owner.noted(link, "enquire_link", status)),
    Effect.andThen(unbound.await, Effect.as(Effect.sleep(FAREWELL), "the carrier unbound")),
    Effect.tap(Deferred.await(forgotten), () => farewell(connection, options, drained))
  ])
  // A carrier that forgets each bind before it takes a message is tried ever more slowly.
  const isInVain = Deferred.isDoneUnsafe(forgotten) && !connection.hasTaken
  return lost(reason, isInVain ? 0 : owner.now() - boundAt)
})

/** Waits for the answers that are under way, which say what became of their messages, and ends the session. */
const farewell = (connection: Connection, options: LinkOptions, drained: Latch.Latch): Effect.Effect<void> =>
  Effect.andThen(
    Effect.timeoutOption(connection.outstanding === 0 ? Effect.void : drained.await, ANSWER_LIMIT),
    Effect.timeoutOption(
      request(connection, options, (sequence) => Pdu.encode("unbind", sequence)),
      FAREWELL
    )
  )

/** Sends enquire_link at intervals, and at once after unanswered messages; ends when one is not answered. */
const watch = Effect.fnUntraced(function* (
  connection: Connection,
  options: LinkOptions,
  doubt: Latch.Latch,
  noted: (status: number) => Effect.Effect<void>
) {
  for (;;) {
    yield* Effect.timeoutOption(doubt.await, options.enquire)
    doubt.closeUnsafe()
    const answer = yield* request(connection, options, (sequence) => Pdu.encode("enquire_link", sequence))
    if (Option.isNone(answer)) return "the carrier does not answer enquire_link"
    if (answer.value !== null && CommandStatus.isUnbound(answer.value)) {
      connection.forgotten(`it answered an enquire_link with ${Pdu.statusName(answer.value)}`)
      return yield* Effect.never
    }
    if (answer.value !== null && answer.value !== CommandStatus.OK) yield* noted(answer.value)
  }
})

/** SMPP 3.4. */
const INTERFACE_VERSION = 0x34

/** Encodes the bind request of a link. */
export const bindOf = ({ addressRange, bind, password, systemId, systemType }: LinkOptions, sequence: number): Buffer =>
  Pdu.encode(`bind_${bind}`, sequence, {
    system_id: systemId,
    password: Redacted.value(password),
    system_type: systemType,
    interface_version: INTERFACE_VERSION,
    addr_ton: addressRange.ton,
    addr_npi: addressRange.npi,
    address_range: addressRange.pattern
  })

/** Sends a request; none if there is no answer in time, null if the connection closed. */
const request = (
  connection: Connection,
  { timeout }: LinkOptions,
  frame: (sequence: number) => Buffer
): Effect.Effect<Option.Option<number | null>> =>
  Effect.callback<number | null>((resume) => {
    connection.request(frame, (status) => resume(Effect.succeed(status)))
  }).pipe(Effect.timeoutOption(Duration.min(timeout, ANSWER_LIMIT)))

/** What to look at when a carrier hangs up on a bind. */
const unheard = ({ tls }: LinkOptions): string =>
  `does it allow the address of this server${tls === null ? ", and is it ssmpp://" : ""}?`

const failureOf = (status: number): Backoff.Failure =>
  status === CommandStatus.ALREADY_BOUND ? "held" : passing.includes(status) ? "lost" : "refused"

/** Statuses of a bind that pass: the carrier is busy. */
const passing: ReadonlyArray<number> = [
  CommandStatus.THROTTLED,
  CommandStatus.QUEUE_FULL,
  CommandStatus.SYSTEM_ERROR,
  CommandStatus.TRY_AGAIN
]

const answerOf = (status: number): string =>
  status === CommandStatus.ALREADY_BOUND
    ? `${Pdu.statusName(status)}: it still holds a session that was lost, or another program is bound with this system_id`
    : Pdu.statusName(status)

const openSocket = ({ host, port, tls: options }: LinkOptions): net.Socket => {
  const socket = options === null ? net.connect({ host, port }) : tls.connect({ host, port, ...options })
  // Without a listener an error would end the process.
  socket.on("error", () => {})
  return socket
}

/** Waits until the socket is connected; fails with the reason when it cannot be. */
const connected = (socket: net.Socket): Effect.Effect<void, string> =>
  (socket instanceof tls.TLSSocket ? encrypted(socket) : heard(socket, "connect")).pipe(
    Effect.timeoutOrElse({ duration: CONNECT_LIMIT, orElse: () => Effect.fail("the connection took too long") })
  )

const encrypted = (socket: tls.TLSSocket): Effect.Effect<void, string> => {
  const unanswered = Effect.andThen(heard(socket, "connect"), Effect.delay(Effect.fail(NO_TLS), TLS_LIMIT))
  return Effect.mapError(Effect.raceFirst(heard(socket, "secureConnect"), unanswered), (reason) =>
    // Certificates that cannot be trusted have an error of their own.
    /ECONNRESET|before secure|wrong version/.test(reason) ? NO_TLS : reason
  )
}

const NO_TLS = "no TLS answer; is it smpp://?"

const heard = (socket: net.Socket, event: "connect" | "secureConnect"): Effect.Effect<void, string> =>
  Effect.callback<void, string>((resume) => {
    socket.once(event, () => resume(Effect.void))
    // An error that is about several addresses has a code and no message.
    socket.once("error", (error: NodeJS.ErrnoException) =>
      resume(Effect.fail(error.message || (error.code ?? error.name)))
    )
    socket.once("close", () => resume(Effect.fail("the connection was closed at once")))
  })
