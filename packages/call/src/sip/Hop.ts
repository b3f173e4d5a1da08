/**
 * The next hop: where messages go to and come from.
 */
import type { Message } from "./Message.ts"

/** What carries SIP. Source: RFC 3261 §18. */
export type Protocol = "udp" | "tcp" | "tls"

export interface TlsOptions {
  /** Certificates in PEM form to trust instead of the well-known authorities. */
  readonly ca?: string
  /** The name the trunk's certificate has, when it is not the host's. */
  readonly servername?: string
}

/** Where a message goes to. */
export interface Target {
  readonly protocol: Protocol
  readonly address: string
  readonly port: number
  /** For TLS; the name to find on the certificate is in it. */
  readonly tls: TlsOptions
}

/** Where a message came from; what is sent there takes the same way back. */
export interface Source {
  readonly protocol: Protocol
  readonly address: string
  readonly port: number
  /** Sends to that address, or to another port of it where the protocol has no connections. */
  readonly reply: (text: string, port?: number) => void
}

export type Receive = (message: Message, source: Source) => void

/** Whoever has a message sent. */
export interface Sender {
  /** The message could not leave. */
  readonly unsent: (reason: string) => void
}
