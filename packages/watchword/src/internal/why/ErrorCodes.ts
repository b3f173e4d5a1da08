/**
 * Error codes of networks in plain words.
 *
 * Source: 3GPP TS 29.002 §17.6.6 (errors of MAP, which carriers put in receipts unless they have a list of their own); ITU-T Q.850 §2.2.7;
 * the WhatsApp Cloud API, "Error codes".
 */
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

/** The error code of a receipt; null for none, and for 0. */
export const carrierError = (code: string | null): string | null => {
  if (code === null || /^0*$/.test(code)) return null
  const meaning = /^\d{1,3}$/.test(code) ? MAP.get(Number(code)) : undefined
  return meaning === undefined ? `error ${code}` : `error ${code} (${meaning}, where the carrier uses the codes of MAP)`
}

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

/** Why a call ended; null for a call that has not. */
export const callCause = (cause: string | null, sip: string | null, q850: string | null): string | null => {
  if (cause === null) return null
  const meaning = q850 === null ? undefined : Q850.get(Number(q850))
  const codes = [
    ...(sip === null ? [] : [`SIP ${sip}`]),
    ...(q850 === null ? [] : [`Q.850 ${q850}${meaning === undefined ? "" : `: ${meaning}`}`])
  ]
  return codes.length === 0 ? cause : `${cause} (${codes.join(", ")})`
}

const WHATSAPP: ReadonlyMap<string, string> = new Map([
  ["131026", "the number is not on WhatsApp, or cannot take such messages"],
  ["131047", "plain text outside the 24-hour window"],
  ["131048", "limited for spam"],
  ["131049", "withheld by WhatsApp"],
  ["131056", "too many messages to this number"],
  ["132001", "the template does not exist in this language"]
])

export const bizchatError = (code: string | null): string | null => {
  if (code === null) return null
  const meaning = WHATSAPP.get(code)
  return meaning === undefined ? `error ${code}` : `error ${code} (${meaning})`
}
