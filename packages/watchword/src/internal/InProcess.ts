/**
 * The calling convention of a service in-process: a caller in front, and keys in the place of a request's options.
 */
import type { Client, Convention } from "@watchword/client"
import type { Keys } from "./Keys.ts"
import type { Caller } from "./Principals.ts"

export interface InProcess extends Convention {
  readonly before: [caller: Caller]
  readonly options: []
  readonly keyed: [keys?: Keys]
  readonly walks: false
}

/** The direct calls of the channels that come with Watchword. */
export interface Groups extends Client<InProcess> {}
