/**
 * Words for the outcomes of a verification's sends, and of calls.
 */
import type { PhoneCall, PhoneMessage, Verification } from "@watchword/client"

const ENDS: Readonly<Record<string, string>> = {
  NO_ANSWER: "not answered",
  CALL_REJECTED: "declined",
  NORMAL_CLEARING: "answered",
  ORIGINATOR_CANCEL: "ended by the caller",
  USER_BUSY: "busy",
  NO_USER_RESPONSE: "no network"
}

export const endOf = ({ hangup_cause: cause, state }: PhoneCall): string =>
  state === "ringing" ? "ringing" : (ENDS[cause ?? ""] ?? "dropped by the network")

const ATTEMPTS: Readonly<Record<string, string>> = {
  opening: "being sent",
  accepted: "sent",
  delivered: "delivered",
  undelivered: "not delivered",
  unknown: "no answer yet",
  unpaid: "not sent",
  revoked: "taken back"
}

/** The status of a send, by the state of its message on the phone. The plan may learn it some seconds later. */
const KNOWN: Readonly<Record<PhoneMessage["state"], string>> = {
  kept: "accepted",
  sent: "accepted",
  delivered: "delivered",
  read: "delivered",
  failed: "undelivered",
  expired: "undelivered",
  revoked: "revoked"
}

/** The outcome of a send, with its reason; for a call that the network accepted, its state or how it ended. */
export const attemptOf = (
  { reason, status }: Verification["attempts"][number],
  sent: PhoneMessage | PhoneCall | undefined
): string => {
  if (sent !== undefined && "caller" in sent && status !== "undelivered") return endOf(sent)
  const known = status === "opening" && sent !== undefined && "text" in sent ? KNOWN[sent.state] : status
  const words = ATTEMPTS[known] ?? known
  return reason === null ? words : `${words}: ${reason.toLowerCase().replaceAll("_", " ")}`
}
