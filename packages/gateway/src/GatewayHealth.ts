/**
 * Whether a connection of a gateway can be used, for readiness checks and metrics.
 */
export interface GatewayHealth {
  /** Unique among the connections of a gateway. Never holds a secret. */
  readonly name: string
  readonly up: boolean
}
