/**
 * The parts that a host's test supplies to the suite.
 */
import type { Channel } from "./channels.ts"

export interface Harness {
  /** The running service. Each case calls it; all may get the same service. */
  readonly service: () => Target | Promise<Target>
  /** What the host cannot do; it can do everything by default. */
  readonly host?: Partial<Abilities>
  /** The channels of the service; those of Watchword by default. */
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
 * What a host does with a request before and after the interface has it. Where a host cannot do something, the
 * suite requires what it does instead.
 */
export interface Abilities {
  /** Paths arrive as they were sent; else `/sms/../sms` arrives as `/sms`. */
  readonly rawPaths: boolean
  /** A path that begins with two slashes arrives so; else with one. */
  readonly leadingSlashes: boolean
  /** Paths that cannot be decoded (`/%ZZ`) arrive; else the host answers 400 or 404 itself. */
  readonly undecodablePaths: boolean
  /** Paths without an endpoint arrive; else the host answers some of them itself. */
  readonly everyPath: boolean
  /** Methods that are not common in APIs (`OPTIONS`, `PROPFIND`) arrive; else the host answers them itself. */
  readonly everyMethod: boolean
  /** The interface reads bodies; else the host parses JSON, refuses what it cannot parse and has a limit of its own. */
  readonly rawBodies: boolean
  /** 603 leaves as 603; else as 486 with the header `x-status: 603`. */
  readonly statusBeyond599: boolean
}
