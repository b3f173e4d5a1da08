/**
 * Calls of users to numbers of the service, as gateways give them.
 */
import type { E164 } from "@watchword/schemas/PhoneNumber"
import type { Assurance } from "@watchword/schemas/Verification"
import type { Ended } from "./Ended.ts"

/**
 * A call to a number of the service. It is never answered: the gateway refuses it once its event is handled, and a
 * caller whose call was not refused tries again.
 */
export interface Called {
  readonly _tag: "Called"
  /** The caller's number; null if it is withheld. */
  readonly from: E164 | null
  /** The number that was called, one of the gateway's `receives`. */
  readonly to: E164
  /** `network` where the caller's network, or a trusted trunk, vouches for its number; `claimed` otherwise. */
  readonly assurance: Exclude<Assurance, "account">
}

export type CallEvent = Ended | Called
