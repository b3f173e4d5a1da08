/**
 * Transport addresses: where SIP messages go to and come from.
 *
 * Source: RFC 3261 §18.
 */
import type { Message } from "./Message.ts"

export type Protocol = "udp" | "tcp" | "tls"

export interface TlsOptions {
  /** Certificates in PEM form to trust instead of the well-known authorities. */
  readonly ca?: string
  /** The name on the trunk's certificate, when it is not the host's. */
  readonly servername?: string
}

/** The destination of a message. */
export interface Endpoint {
  readonly protocol: Protocol
  readonly address: string
  readonly port: number
  /** For TLS, with the name to expect on the certificate. */
  readonly tls: TlsOptions
}

/** Whether two endpoints are one and the same server. */
export const isSameHop = (one: Endpoint, other: Endpoint): boolean =>
  one.protocol === other.protocol && one.address === other.address && one.port === other.port

/** The origin of a message. */
export interface Source {
  readonly protocol: Protocol
  readonly address: string
  readonly port: number
  /** Sends to that address over the same connection; UDP allows another port of it. */
  readonly reply: (text: string, port?: number) => void
}

export type Receive = (message: Message, source: Source) => void

/** Called when a message could not be sent. */
export type OnUnsent = (reason: string) => void
