/**
 * The parts that a host's test supplies to the suite.
 */
import type { Channel } from "./channels.ts"

export interface Harness {
  /** The running service. Each case calls it; all may get the same service. */
  readonly service: () => Target | Promise<Target>
  /** The abilities that the host lacks, as `false`; by default it has all of them. */
  readonly host?: Partial<Abilities>
  /** The channels of the service; Watchword's channels by default. */
  readonly channels?: ReadonlyArray<Channel>
}

/** A running service with one account. */
export interface Target {
  /** Address of the interface, for example `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string
  readonly account: string
  /** A sandbox key of the account with every scope. */
  readonly key: string
  /** A sandbox key of the account with only the scope `sms:read`. */
  readonly readKey: string
}

/**
 * A host's treatment of a request before and after the interface handles it. If a host lacks an ability, the suite
 * requires the host's alternative.
 */
export interface Abilities {
  /** Paths arrive as they were sent; else `/sms/../sms` arrives as `/sms`. */
  readonly rawPaths: boolean
  /** A path that begins with two slashes arrives with both; else with one. */
  readonly leadingSlashes: boolean
  /** Paths that cannot be decoded (`/%ZZ`) arrive; else the host answers 400 or 404 itself. */
  readonly undecodablePaths: boolean
  /** Paths without an endpoint arrive; else the host answers some of them itself. */
  readonly everyPath: boolean
  /** Methods that are not common in APIs (`OPTIONS`, `PROPFIND`) arrive; else the host answers them itself. */
  readonly everyMethod: boolean
  /** The interface reads bodies; else the host parses JSON, refuses bodies that are not JSON, and has its own limit. */
  readonly rawBodies: boolean
  /** 603 leaves as 603; else as 486 with the header `x-status: 603`. */
  readonly statusBeyond599: boolean
}
