/**
 * Calls whose caller id the network has blocked: the number is suspected of spam. It is neither the recipient's nor the
 * customer's fault, and no other carrier does better with the same number.
 */
import { type DeliveryFailure, ServiceUnavailable } from "@watchword/schemas/Errors"

/** The reason of such a 503. */
const CALLER_BLOCKED = "caller_blocked"

export const callerBlocked = (): ServiceUnavailable =>
  new ServiceUnavailable({
    message: "The network blocks calls from this caller id; its operator must check why.",
    reason: CALLER_BLOCKED
  })

export const isCallerBlocked = (failure: DeliveryFailure): boolean =>
  failure._tag === "SERVICE_UNAVAILABLE" && failure.reason === CALLER_BLOCKED

/** A caller id as logs may show it: its last digits may be a code. */
export const maskedCaller = (caller: string): string =>
  `${caller.slice(0, 4)}${"*".repeat(Math.max(3, caller.length - 4))}`
