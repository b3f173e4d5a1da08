/**
 * Facts about the user whom a code is for. Written by scripts/contract.ts.
 */
/** Facts about the user whom a code is for, which guards count by. None is sent to a gateway. */
export interface ClientFacts {
  /** The address of the user's device, IPv4 or IPv6, by which guards count. */
  readonly client_ip?: string
  /** Your own name for the user or the session, of 1 to 100 characters, by which guards count. */
  readonly client_ref?: string
  /** Whether you know the user; guards count such sends apart. */
  readonly trusted?: boolean
}
