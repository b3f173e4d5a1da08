/**
 * The transport of SIP messages over UDP, TCP and TLS.
 *
 * Source: RFC 3261 §18.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import * as dgram from "node:dgram"
import { isIPv6 } from "node:net"
import { Connections } from "./Connections.ts"
import { type Message, parse } from "./Message.ts"
import type { Peers } from "./Peers.ts"
import type { Receive, OnUnsent, Source, Endpoint } from "./Endpoint.ts"
import { type Address, SipOptionsError } from "./Options.ts"
import { type StreamServer, type Streams, listen as listenFor } from "./StreamServer.ts"

/** The size of the receive buffer in octets: it holds a burst of some 5,000 responses. */
const RECEIVE_BUFFER = 4 * 1024 * 1024

/**
 * Octets and proxies of the longest request of a stranger that is answered: its answer goes to an address that may be
 * forged.
 */
const LONGEST_OF_STRANGERS = 8192
const MOST_VIAS_OF_STRANGERS = 8

const isModest = (message: Message, octets: number): boolean =>
  message._tag === "Request" &&
  octets <= LONGEST_OF_STRANGERS &&
  message.headers.list("via").length <= MOST_VIAS_OF_STRANGERS

/** How messages are received. */
export interface Listener {
  readonly peers: Peers
  /** Whether a request of another address may be answered now. */
  readonly strangers: () => boolean
  readonly receive: Receive
  /** The connections that are listened for at the same address; null for none. */
  readonly streams?: Streams | null
}

export class Transport {
  /** The address of the UDP socket. */
  readonly local: Address
  readonly family: 4 | 6
  private readonly socket: dgram.Socket
  private readonly connections: Connections
  private readonly server: StreamServer | null

  constructor({ server, socket }: Bound, { peers, receive, strangers }: Listener) {
    this.server = server
    const { address, port } = socket.address()
    this.local = { host: address, port }
    this.family = isIPv6(address) ? 6 : 4
    this.socket = socket
    this.connections = new Connections(address, receive)
    socket.on("message", (bytes, { address, port }) => {
      const isStranger = !peers.has(address)
      if (isStranger && !strangers()) return
      const message = parse(bytes)
      if (message === undefined || (isStranger && !isModest(message, bytes.length))) return
      receive(message, new Origin(this, address, port))
    })
    // Such an error concerns one datagram; its sender has a timer.
    socket.on("error", () => {})
  }

  send(text: string, endpoint: Endpoint, unsent: OnUnsent | null): void {
    if (endpoint.protocol === "udp") this.datagram(text, endpoint.address, endpoint.port, unsent)
    else this.connections.send(text, endpoint, unsent)
  }

  certificateEnds(name: string): number | null {
    return this.connections.certificateEnds(name)
  }

  close(): void {
    this.socket.close()
    this.server?.close()
    this.connections.close()
  }

  datagram(text: string, address: string, port: number, unsent: OnUnsent | null): void {
    const sent = (error: Error | null): void => {
      if (error !== null) unsent?.(error.message)
    }
    try {
      this.socket.send(Buffer.from(text, "latin1"), port, address, unsent === null ? undefined : sent)
    } catch (error) {
      unsent?.(error instanceof Error ? error.message : "the socket is closed")
    }
  }
}

/** The origin of a datagram. */
class Origin implements Source {
  readonly protocol = "udp"
  readonly address: string
  readonly port: number
  private readonly transport: Transport

  constructor(transport: Transport, address: string, port: number) {
    this.transport = transport
    this.address = address
    this.port = port
  }

  reply(text: string, port = this.port): void {
    this.transport.datagram(text, this.address, port, null)
  }
}

/**
 * The transport at a local address, for as long as the scope lives.
 *
 * @param patience how long to wait for an address that is in use
 */
export const open = (
  listen: Address,
  listener: Listener,
  patience: Duration.Input = 0
): Effect.Effect<Transport, SipOptionsError, Scope> => {
  const schedule = Schedule.spaced(BIND_AGAIN).pipe(Schedule.upTo({ duration: patience }))
  const once = bindAll(listen, listener)
  const later = Effect.andThen(waiting(listen), Effect.retry(once, { while: isInUse, schedule }))
  const first = Duration.isZero(Duration.fromInputUnsafe(patience)) ? once : Effect.catchIf(once, isInUse, () => later)
  const bound = Effect.mapError(first, ({ message }) => {
    const sentence = `The SIP listen address cannot be used: ${message}.`
    return new SipOptionsError({ setting: "listen", message: sentence })
  })
  return Effect.acquireRelease(
    Effect.map(bound, (sockets) => new Transport(sockets, listener)),
    (transport) => Effect.sync(() => transport.close())
  )
}

const BIND_AGAIN = "250 millis"

const waiting = ({ host, port }: Address) =>
  Effect.logWarning(
    "the SIP listen address is in use, perhaps by a server that ends the calls of a process that died here; waiting for it",
    { address: `${host}:${port}` }
  )

const isInUse = (error: NodeJS.ErrnoException): boolean => error.code === "EADDRINUSE"

/** The sockets of a transport, at one port. */
interface Bound {
  readonly socket: dgram.Socket
  readonly server: StreamServer | null
}

const bindAll = (
  listen: Address,
  { peers, receive, streams = null }: Listener
): Effect.Effect<Bound, NodeJS.ErrnoException> => {
  const both = Effect.flatMap(bind(listen), (socket): Effect.Effect<Bound, NodeJS.ErrnoException> => {
    if (streams === null) return Effect.succeed({ socket, server: null })
    const { port } = socket.address()
    return listenFor({ host: listen.host, port }, streams, peers, receive).pipe(
      Effect.tapError(() => Effect.sync(() => socket.close())),
      Effect.map((server) => ({ socket, server }))
    )
  })
  // Of a free port of the system's choice another program may have the other half.
  return listen.port === 0 ? Effect.retry(both, { while: isInUse, times: 10 }) : both
}

/** A UDP socket at a local address. */
const bind = ({ host, port }: Address): Effect.Effect<dgram.Socket, NodeJS.ErrnoException> =>
  Effect.callback<dgram.Socket, NodeJS.ErrnoException>((resume) => {
    const family = isIPv6(host) ? 6 : 4
    const socket = dgram.createSocket({
      type: `udp${family}`,
      recvBufferSize: RECEIVE_BUFFER,
      // Only addresses are sent to: names have been resolved before.
      lookup: (address, _options, found) => found(null, address, family)
    })
    const failed = (error: Error): void => {
      socket.close()
      resume(Effect.fail(error))
    }
    socket.once("error", failed)
    socket.bind({ address: host, port }, () => {
      socket.off("error", failed)
      resume(Effect.succeed(socket))
    })
  })

/** The local address of packets to an address; the system chooses it when the transport listens on all of them. */
export const localAddress = (listen: Address, to: string): Effect.Effect<string> => {
  if (listen.host !== "0.0.0.0" && listen.host !== "::") return Effect.succeed(listen.host)
  return Effect.callback<string>((resume) => {
    const probe = dgram.createSocket(isIPv6(to) ? "udp6" : "udp4")
    const done = (address: string): void => {
      probe.close()
      resume(Effect.succeed(address))
    }
    probe.once("error", () => done(listen.host))
    probe.connect(9, to, () => done(probe.address().address))
  })
}
