/**
 * The descriptions of a service's channels, for what reads their records: they are needed for the words of a channel, and no
 * gateway is.
 */
import * as Context from "effect/Context"
import type { Any } from "./Features.ts"

/** The descriptions of a service's channels, for what reads their records. */
export class Described extends Context.Service<Described, ReadonlyArray<Any<unknown>>>()(
  "@watchword/send/channel/Described"
) {}
