/**
 * The other end of a trunk.
 */

/** Where a message came from, and what it was sent through. */
export interface Peer {
  readonly address: string
  readonly port: number
  /** The trunk's own address, as the peer sees it. */
  readonly local: { readonly address: string; readonly port: number; readonly transport: string }
  readonly send: (text: string | Buffer) => void
}
