/**
 * The arrival of a call's code, which is its caller, by the call's record.
 */
import { INTERRUPTED, MAY_HAVE_RUNG } from "@watchword/schemas/Call"
import type { Arrival } from "@watchword/send/channel/Channel"
import type { Delivery } from "@watchword/store/Delivery"
import { status } from "./CallStatus.ts"

/**
 * A call that the network ended is lost. If the service or the callee ended it, the phone has shown the caller. A phone
 * that rang does not prove that the user saw it, so the next step is taken if nothing is heard before the time-out.
 */
export const arrival = ({ details, status: { name } }: Pick<Delivery, "details" | "status">): Arrival | null => {
  if (name === status.failed.name) return "lost"
  if (name === status.ringing.name) return "shown"
  const cause = details["hangup_cause"]
  return typeof cause === "string" && !SHOWN.has(cause) ? "lost" : null
}

const SHOWN = new Set(["NO_ANSWER", "ORIGINATOR_CANCEL", "NORMAL_CLEARING", "USER_BUSY", "CALL_REJECTED"])

/**
 * A call is free where its process died while it may have rung, and where the network had it and did not say that it
 * rang.
 */
export const doubt = ({ details }: Delivery): "accepted" | "unknown" | null =>
  details[INTERRUPTED] === true ? "unknown" : details[MAY_HAVE_RUNG] === true ? "accepted" : null
