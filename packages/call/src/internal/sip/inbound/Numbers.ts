/**
 * Phone numbers in the addresses of a call to us. Trunks write them with and without a plus sign, as they are dialled
 * in the country of the number that is called, in SIP and in tel URIs.
 *
 * Source: RFC 3261 §19.1.6 and §25, RFC 3966 §3 and §5.
 */
import { type E164, callingCodeOf, countryOf, parse } from "@watchword/schemas/PhoneNumber"
import * as HeaderValue from "../HeaderValue.ts"

/** How bare digits of callers are read. */
export interface Reading {
  /** The number that is called, of whose country are numbers as they are dialled. */
  readonly ours: E164
  /** Whether the trunk writes numbers of its country without the prefix that is dialled before them. */
  readonly isNational: boolean
}

/**
 * The number that an address names; null if it has no number, as an anonymous caller's.
 *
 * @param address the value of a From, To or P-Asserted-Identity
 */
export const numberOf = (address: string, reading: Reading): E164 | null => {
  const digits = digitsOf(HeaderValue.uriOf(address))
  if (digits === null) return null
  return digits.startsWith("+") ? parse(digits).number : withoutPlus(digits, reading)
}

/** The number of ours that a URI names, in whatever form; null for none. A pool may have hundreds. */
export const ownIn = (uri: string, ours: ReadonlyArray<E164>): E164 | null => {
  const digits = digitsOf(uri)
  if (digits === null) return null
  const exact = ours.find((each) => each === digits || each === `+${digits}`)
  if (exact !== undefined || digits.startsWith("+")) return exact ?? null
  for (const country of new Set(ours.map(countryOf))) {
    const read = parse(digits, country ?? undefined)
    const found = ours.find((each) => (read.number === null ? read.readings.includes(each) : read.number === each))
    if (found !== undefined) return found
  }
  return null
}

const USER = /^(?:sips?:([^@]*)@.|tel:(.*)$)/is

/** Digits with their plus sign, if there is one. */
const digitsOf = (uri: string): string | null => {
  const [, user, subscriber] = USER.exec(uri) ?? []
  const [number = "", ...parameters] = unescaped(user ?? subscriber ?? "").split(";")
  // A password of a SIP URI is behind a colon.
  const plain = (number.split(":")[0] ?? "").replace(/[-.() ]/g, "")
  if (!/^\+?[0-9]{3,20}$/.test(plain)) return null
  const [, context = ""] = /^phone-context=(\+[-.() 0-9]+)$/i.exec(parameters.join(";")) ?? []
  return plain.startsWith("+") || context === "" ? plain : context.replace(/[-.() ]/g, "") + plain
}

const unescaped = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/**
 * Digits that begin with 0 are as dialled. Others are in E.164 form without the plus sign, unless the country has no
 * prefix before its national numbers.
 */
const withoutPlus = (digits: string, { isNational, ours }: Reading): E164 | null => {
  const country = countryOf(ours)
  const full = `+${digits}`
  if (country === null) return parse(full).number
  const national = parse(digits, country)
  if (digits.startsWith("0")) return national.number
  const abroad = parse(full).number
  if (national.number === null) return national.readings.find((each) => each === full) ?? abroad
  if (isNational || national.number === full || !hasPrefix(digits, national.number, country)) return national.number
  return abroad ?? national.number
}

/** Whether a country has its national numbers dialled with a 0 in front that is not part of them. */
const hasPrefix = (digits: string, national: E164, country: string): boolean =>
  callingCodeOf(national) !== "1" && parse(`0${digits}`, country).number === national
