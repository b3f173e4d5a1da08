/**
 * Whether a connection of a gateway can be used, for readiness checks and metrics.
 */
import type { Seen } from "./Unrecognized.ts"

export interface GatewayHealth {
  /** Unique among the connections of a gateway. Never holds a secret. */
  readonly name: string
  readonly up: boolean
  /** How many messages wait for the peer's answer, and how many may; omitted if there is no such bound. */
  readonly window?: { readonly used: number; readonly size: number }
  /**
   * Messages a second that the peer's throttling has taught, null while it has not; left out where nothing is learned.
   */
  readonly rate?: number | null
  /**
   * When the certificate ends that the peer has shown last, in milliseconds since the epoch; left out for a connection
   * without TLS, and for one whose certificate the gateway does not see.
   */
  readonly certificateEnds?: number
  /** The peer's words that the gateway did not recognize; left out if the gateway does not record them. */
  readonly unrecognized?: ReadonlyArray<Seen>
}
