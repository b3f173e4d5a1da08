/**
 * The addresses of submit_sm: type of number (TON), numbering plan (NPI) and digits, as the carrier of a link wants
 * them.
 *
 * Source: SMPP 3.4 §5.2.5 (TON), §5.2.6 (NPI), §5.2.8 (source_addr), §5.2.9 (destination_addr); ITU-T E.164 §6.
 */
import type { LinkOptions } from "./Options.ts"

export interface Address {
  readonly ton: number
  readonly npi: number
  readonly address: string
}

/** A number of one country, with or without the plus sign of its international form. */
const NUMBER = /^(\+?)([0-9]{3,15})$/

/** The most digits of a short code. Longer senders are phone numbers. */
const LONGEST_SHORT_CODE = 8

/** Whether a sender is a number, and not a name. */
export const isNumber = (from: string): boolean => NUMBER.test(from)

/** The address of a sender: a phone number, a short code or a name. */
export const sourceOf = (from: string, { name, shortCode, source }: Senders): Address => {
  const number = NUMBER.exec(from)
  if (number === null) return { ...name, address: from }
  const [, plus, digits = ""] = number
  if (plus === "" && digits.length <= LONGEST_SHORT_CODE) return { ...shortCode, address: digits }
  return { ...source, address: digits }
}

type Senders = Pick<LinkOptions, "source" | "name" | "shortCode">

const UNKNOWN = 0
const INTERNATIONAL = 1
const NATIONAL = 2

/** The address of a recipient, whose number has a plus sign. */
export const destinationOf = (to: string, { destination: { npi, ton }, national }: Recipients): Address => {
  const isNational = national !== null && to.startsWith(national.code, 1)
  return {
    ton: ton ?? (isNational ? NATIONAL : INTERNATIONAL),
    npi,
    address: isNational ? national.prefix + to.slice(1 + national.code.length) : to.slice(1)
  }
}

type Recipients = Pick<LinkOptions, "destination" | "national">

const E164 = /^\+?[1-9][0-9]{6,14}$/
const DIGITS = /^[0-9]{3,15}$/

/**
 * The number of an address that a carrier sends, with the plus sign; null if it is neither international nor of a
 * country.
 */
export const internationalOf = (
  { address, ton }: Pick<Address, "ton" | "address">,
  national: LinkOptions["national"]
): string | null => {
  if (national !== null && isNational(address, ton, national)) {
    const digits = address.startsWith(national.prefix) ? address.slice(national.prefix.length) : address
    return `+${national.code}${digits}`
  }
  if ((ton !== INTERNATIONAL && ton !== UNKNOWN) || !E164.test(address)) return null
  return address.startsWith("+") ? address : `+${address}`
}

/** Whether an address is in the national form: by its type, or of an unknown type and without the calling code. */
const isNational = (address: string, ton: number, { code, prefix }: NonNullable<LinkOptions["national"]>): boolean =>
  DIGITS.test(address) &&
  (ton === NATIONAL || (ton === UNKNOWN && (prefix === "" ? !address.startsWith(code) : address.startsWith(prefix))))
