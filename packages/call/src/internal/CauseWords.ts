/**
 * Why a call ended, in plain words.
 *
 * Source: ITU-T Q.850 §2.2.7.
 */
import { textOf } from "@watchword/send/channel/ChannelRecords"
import type { Delivery } from "@watchword/store/Delivery"

const Q850: ReadonlyMap<number, string> = new Map([
  [1, "the number is not in use"],
  [3, "there is no route to the number"],
  [16, "ended as usual"],
  [17, "busy"],
  [18, "the phone did not respond"],
  [19, "no answer"],
  [20, "the phone is off or has no network"],
  [21, "rejected by the phone or the network"],
  [22, "the number has changed"],
  [27, "the destination is out of order"],
  [28, "the number is not complete"],
  [34, "no line was free"],
  [38, "the network is out of order"],
  [41, "a temporary failure of the network"],
  [42, "the network is congested"],
  [47, "the network has no resources left"],
  [52, "the trunk's account may not make such calls"],
  [102, "the network took too long"]
])

/** The cause of a call whose caller id the network has blocked. */
const CALLER_BLOCKED = "REJECT_ALL"

/** Null for a call that has not ended. */
export const said = (delivery: Delivery): string | null => {
  const cause = textOf(delivery, "hangup_cause")
  if (cause === null) return null
  const sip = textOf(delivery, "sip_status")
  const q850 = textOf(delivery, "q850")
  const meaning = q850 === null ? undefined : Q850.get(Number(q850))
  const codes = [
    ...(cause === CALLER_BLOCKED ? ["the network blocks calls from this caller id"] : []),
    ...(sip === null ? [] : [`SIP ${sip}`]),
    ...(q850 === null ? [] : [`Q.850 ${q850}${meaning === undefined ? "" : `: ${meaning}`}`])
  ]
  return codes.length === 0 ? cause : `${cause} (${codes.join(", ")})`
}
