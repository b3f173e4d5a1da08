/**
 * Why a call ended, in plain words.
 *
 * Source: ITU-T Q.850 §2.2.7.
 */
import { textOf } from "@watchword/send/internal/channel/details"
import type { Delivery } from "@watchword/store/Delivery"

const Q850: ReadonlyMap<number, string> = new Map([
  [1, "the number is not in use"],
  [17, "busy"],
  [18, "the phone did not respond"],
  [19, "no answer"],
  [20, "the phone is off or has no network"],
  [21, "rejected by the phone or the network"],
  [27, "the destination is out of order"],
  [28, "the number is not complete"],
  [34, "no line was free"],
  [38, "the network is out of order"],
  [41, "a temporary failure of the network"]
])

/** Null for a call that has not ended. */
export const said = (delivery: Delivery): string | null => {
  const cause = textOf(delivery, "hangup_cause")
  if (cause === null) return null
  const sip = textOf(delivery, "sip_status")
  const q850 = textOf(delivery, "q850")
  const meaning = q850 === null ? undefined : Q850.get(Number(q850))
  const codes = [
    ...(sip === null ? [] : [`SIP ${sip}`]),
    ...(q850 === null ? [] : [`Q.850 ${q850}${meaning === undefined ? "" : `: ${meaning}`}`])
  ]
  return codes.length === 0 ? cause : `${cause} (${codes.join(", ")})`
}
