/**
 * A carrier's report on a text, in plain words.
 *
 * Source: 3GPP TS 29.002 §17.6.6 (errors of MAP, which carriers put in receipts unless they have a list of their own).
 */
import { joined, textOf } from "@watchword/send/channel/ChannelRecords"
import type { Delivery } from "@watchword/store/Delivery"

const MAP: ReadonlyMap<number, string> = new Map([
  [1, "unknown subscriber"],
  [5, "unidentified subscriber"],
  [6, "absent subscriber"],
  [9, "illegal subscriber"],
  [11, "the subscriber has no SMS service"],
  [12, "illegal equipment"],
  [13, "SMS are barred for the subscriber"],
  [21, "the network or the phone has no SMS"],
  [27, "absent subscriber"],
  [31, "subscriber busy"],
  [32, "the phone did not take it, often because its memory is full"],
  [33, "too many messages wait for the subscriber"],
  [34, "system failure of the network"]
])

export const said = (delivery: Delivery): string | null =>
  joined([textOf(delivery, "carrier_status"), errorOf(textOf(delivery, "carrier_error"))])

/** The error code of a receipt; null for 0, which means no error. */
const errorOf = (code: string | null): string | null => {
  if (code === null || /^0*$/.test(code)) return null
  const meaning = /^\d{1,3}$/.test(code) ? MAP.get(Number(code)) : undefined
  return meaning === undefined ? `error ${code}` : `error ${code} (${meaning}, where the carrier uses the codes of MAP)`
}
