/**
 * The listener for connections that trunks open to us over TCP or TLS.
 *
 * Source: RFC 3261 §18.2.1, §26.3.1.
 */
import * as Effect from "effect/Effect"
import * as net from "node:net"
import * as tls from "node:tls"
import type { Receive } from "./Endpoint.ts"
import type { Certificate } from "./inbound/InboundOptions.ts"
import type { Address } from "./Options.ts"
import type { Peers } from "./Peers.ts"
import { readFrom } from "./Stream.ts"

/** What connections are listened for; a certificate for TLS, null for TCP. */
export interface Streams {
  readonly certificate: Certificate | null
}

/** More connections than trunks have any use for. */
const MOST = 256

export interface StreamServer {
  readonly close: () => void
}

/** Listens at an address. Connections from other addresses than the trunks' are closed before a word. */
export const listen = (
  { host, port }: Address,
  { certificate }: Streams,
  peers: Peers,
  receive: Receive
): Effect.Effect<StreamServer, NodeJS.ErrnoException> =>
  Effect.callback<StreamServer, NodeJS.ErrnoException>((resume) => {
    const sockets = new Set<net.Socket>()
    const protocol = certificate === null ? "tcp" : "tls"
    const accept = (socket: net.Socket): void => {
      const { remoteAddress: address = "", remotePort: port = 0 } = socket
      readFrom(socket, { protocol, address, port }, receive)
    }
    const server = certificate === null ? net.createServer(accept) : tls.createServer({ ...certificate }, accept)
    server.maxConnections = MOST
    // Before TLS shakes hands.
    server.prependListener("connection", (socket: net.Socket) => {
      socket.on("error", () => {})
      if (!peers.has(socket.remoteAddress ?? "")) return void socket.destroy()
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket))
    })
    const failed = (error: Error): void => resume(Effect.fail(error))
    server.once("error", failed)
    server.on("tlsClientError", () => {})
    server.listen({ host, port }, () => {
      server.off("error", failed)
      server.on("error", () => {})
      const close = (): void => {
        server.close()
        for (const socket of sockets) socket.destroySoon()
      }
      resume(Effect.succeed({ close }))
    })
  })
