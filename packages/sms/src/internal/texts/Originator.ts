/**
 * The number of a text's sender.
 *
 * A carrier writes it with a type of number, and often as it is dialled in its own country. Of digits without a prefix
 * and of an unknown type there may be two readings, and a text may not count for a stranger's number: if both
 * readings are numbers, the sender is unknown.
 *
 * Source: SMPP 3.4 §5.2.5 (type of number); 3GPP TS 23.040 §9.1.2.5; ITU-T E.164 §6.
 */
import { type E164, callingCodeOf, countryOf, parse } from "@watchword/schemas/PhoneNumber"

/** An address as a carrier writes it. */
export interface Address {
  /** Type of number, as in SMPP. */
  readonly ton: number
  readonly address: string
}

const UNKNOWN = 0
export const INTERNATIONAL = 1
const NATIONAL = 2

const DIGITS = /^\+?[0-9]{3,20}$/

/**
 * The number of a sender; null for a name, a short code and a text that is no number.
 *
 * @param ours the number that was written to, whose country is that of numbers without a calling code
 */
export const senderOf = ({ address, ton }: Address, ours: E164): E164 | null => {
  const written = address.trim()
  if (!DIGITS.test(written)) return null
  const country = countryOf(ours) ?? undefined
  switch (ton) {
    case INTERNATIONAL:
      return parse(`+${written.replace(/^(?:\+|00)/, "")}`).number
    case NATIONAL:
      return parse(written, country).number
    case UNKNOWN:
      return /^[+0]/.test(written) ? parse(written, country).number : unprefixed(written, ours, country)
    default:
      return null
  }
}

/**
 * Digits of an unknown type without a prefix. With the calling code of our own country they are a number in full: as it
 * is dialled there, such a number would begin with a trunk prefix.
 */
const unprefixed = (digits: string, ours: E164, country: string | undefined): E164 | null => {
  const inFull = parse(`+${digits}`).number
  if (inFull !== null && digits.startsWith(callingCodeOf(ours) ?? "+")) return inFull
  const dialled = parse(digits, country).number
  if (inFull === null) return dialled
  return dialled === null || dialled === inFull ? inFull : null
}
