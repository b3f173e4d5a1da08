/**
 * Whether a connection of a gateway can be used, for readiness checks and metrics.
 */
export interface GatewayHealth {
  /** Unique among the connections of a gateway. Never holds a secret. */
  readonly name: string
  readonly up: boolean
  /** How many messages wait for the peer's answer, and how many may; left out where there is no such bound. */
  readonly window?: { readonly used: number; readonly size: number }
}
