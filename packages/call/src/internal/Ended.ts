/**
 * The ends of calls, as gateways give them.
 */
import type { DeliveryId } from "@watchword/schemas/Ids"
import type { Delivery } from "@watchword/store/Delivery"

/** How a call ended, by FreeSWITCH's names of Q.850 causes, for example `NO_ANSWER`. */
export interface Cause {
  readonly hangupCause: string
  /** The final status of the network as received; null if there was no final status. */
  readonly sipStatus: number | null
  /** The cause of a `Reason: Q.850` header as received. */
  readonly q850: number | null
}

/** The end of a call that rang. Each such call has exactly one. */
export interface Ended {
  readonly _tag: "Ended"
  readonly delivery: DeliveryId
  readonly cause: Cause
  /** Null for a call that was not answered. */
  readonly answeredAt: number | null
  /**
   * Both times are milliseconds since the epoch, best by a clock that is not set meanwhile: the time at the start of
   * the gateway, moved by the monotonic clock. Durations are counted from the ringing by such a clock.
   */
  readonly endedAt: number
  /** The call's record, where its source has it: it says when a call rang that another process has placed. */
  readonly record?: Delivery
}
