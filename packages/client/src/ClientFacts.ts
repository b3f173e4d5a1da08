/**
 * Facts about the user whom a code is for, which the guards of the service count by. None is sent to a gateway.
 */
export interface ClientFacts {
  /** The address of the user's device, IPv4 or IPv6. */
  readonly client_ip?: string
  /** Your own name for the user or the session. */
  readonly client_ref?: string
  /** Whether you know the user; such sends are counted apart. */
  readonly trusted?: boolean
}
