/**
 * The other end of a trunk.
 */

/** The source of a message, and its transport. */
export interface Peer {
  readonly address: string
  readonly port: number
  /** The trunk's own address, as the peer sees it. */
  readonly local: { readonly address: string; readonly port: number; readonly transport: string }
  readonly send: (text: string | Buffer) => void
}
