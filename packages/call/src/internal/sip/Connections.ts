/**
 * Connections to trunks over TCP and TLS. Each is opened by the first message to an endpoint, serves later ones, and is
 * opened again after it was lost.
 *
 * Source: RFC 3261 §18.1, §18.3; RFC 5923.
 */
import * as net from "node:net"
import * as tls from "node:tls"
import { certificateEnd } from "@watchword/send/gateway"
import type { Receive, OnUnsent, Endpoint } from "./Endpoint.ts"
import { readFrom } from "./Stream.ts"

const CONNECT_LIMIT = 4000

interface Connection {
  readonly socket: net.Socket
  /** Called when the connection closes before their messages were written. */
  readonly waiting: Set<OnUnsent>
}

export class Connections {
  private readonly local: string
  private readonly receive: Receive
  private readonly open = new Map<string, Connection>()
  /** When certificates end, by the names that they were expected to have. */
  private readonly ends = new Map<string, number>()
  private isClosed = false

  /** @param local the address that connections leave over */
  constructor(local: string, receive: Receive) {
    this.local = local
    this.receive = receive
  }

  send(text: string, endpoint: Endpoint, unsent: OnUnsent | null): void {
    if (this.isClosed) return unsent?.("the gateway is closed")
    const { socket, waiting } = this.connectionTo(endpoint)
    if (unsent !== null) waiting.add(unsent)
    socket.write(text, "latin1", (error) => {
      if (unsent !== null && (error === undefined || error === null)) waiting.delete(unsent)
    })
  }

  /** When the certificate ends that a trunk has shown last, in milliseconds since the epoch; null before it has. */
  certificateEnds(name: string): number | null {
    return this.ends.get(name) ?? null
  }

  close(): void {
    this.isClosed = true
    for (const { socket } of this.open.values()) socket.destroySoon()
  }

  private connectionTo(endpoint: Endpoint): Connection {
    const key = `${endpoint.protocol} ${endpoint.address} ${endpoint.port} ${endpoint.tls.servername ?? ""}`
    const known = this.open.get(key)
    if (known !== undefined && known.socket.writable) return known
    const connection: Connection = { socket: this.connect(endpoint), waiting: new Set() }
    this.open.set(key, connection)
    this.listen(connection, endpoint, () => {
      if (this.open.get(key) === connection) this.open.delete(key)
    })
    return connection
  }

  private connect({ protocol, address, port, tls: options }: Endpoint): net.Socket {
    const wildcard = this.local === "0.0.0.0" || this.local === "::"
    const to = { host: address, port, ...(wildcard ? {} : { localAddress: this.local }) }
    return protocol === "tls" ? tls.connect({ ...to, ...options }) : net.connect(to)
  }

  private listen({ socket, waiting }: Connection, endpoint: Endpoint, closed: () => void): void {
    const connected = socket instanceof tls.TLSSocket ? "secureConnect" : "connect"
    let problem = "the connection was closed"
    const limit = setTimeout(() => socket.destroy(new Error("the connection took too long")), CONNECT_LIMIT)
    socket.once(connected, () => {
      clearTimeout(limit)
      const ends = socket instanceof tls.TLSSocket ? certificateEnd(socket) : null
      if (ends !== null) this.ends.set(endpoint.tls.servername ?? endpoint.address, ends)
    })
    socket.on("error", (error) => {
      problem = error.message || error.name
    })
    socket.once("close", () => {
      clearTimeout(limit)
      closed()
      for (const unsent of waiting) unsent(problem)
    })
    readFrom(socket, endpoint, this.receive)
  }
}
