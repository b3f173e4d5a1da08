/**
 * The script of a trunk.
 */
import type { TlsOptions } from "node:tls"
import type { Wire } from "../../trunk/wire.ts"
import type { Peer } from "./Peer.ts"
import type { TrunkCall } from "./TrunkCall.ts"

/** A status, with further header lines behind it, or no answer at all. */
export type Reply = number | "silence" | ReadonlyArray<string | number>

export interface Script {
  /** What becomes of a new INVITE. */
  invite: (call: TrunkCall) => void
  /** Hears that a caller gave up a call that had not ended, which is then answered 487. */
  canceled: (call: TrunkCall) => void
  cancel: "answer" | "silence" | number
  /** Null for 200 to calls that it knows, and 481 to others. */
  bye: ((bye: Wire, peer: Peer) => Reply) | null
  options: (options: Wire) => Reply
  /** The address that requests seem to come from; null for the true one. */
  sees: { readonly address: string; readonly port: number } | null
  /** Whether a message gets lost, either way. Only for UDP. */
  loses: (message: Wire) => boolean
}

export interface TrunkOptions {
  /** Its behaviour; without a script its phones ring until the caller gives up. */
  readonly script?: Partial<Script> | undefined
  /** UDP unless given. */
  readonly protocol?: "udp" | "tcp" | "tls"
  /** 127.0.0.1 unless given. */
  readonly host?: string
  /** Any free port unless given. */
  readonly port?: number
  /** Key and certificate, for TLS. */
  readonly tls?: TlsOptions
  /** How many messages and calls it keeps; all unless given. */
  readonly keep?: number
  /** Milliseconds until something is sent again over UDP, the protocol's T1; 100 unless given. */
  readonly t1?: number
}
