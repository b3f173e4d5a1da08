/**
 * Reads a phone number as people type it and address books keep it.
 *
 * Nothing here needs Effect, so that a program may have it without.
 */
import { renewal } from "./OldPlans.ts"
import { type Looked, callingCodeIn, hasCarriers, isCountry, lookUp } from "./Plans.ts"
import { mistake } from "./Spelling.ts"
import { type Typed, typed } from "./Typed.ts"

/** Why a text has no one reading. */
export type Unread = "unknown_country" | "no_number" | "extension" | "country_needed" | "ambiguous" | "impossible"

/** A number, or why a text is not exactly one number. */
export type Read<Number extends string = string> =
  | { readonly number: Number }
  | {
      readonly number: null
      readonly reason: Unread
      /** The numbers that may have been meant, in E.164 form, for a page to ask which. */
      readonly readings: ReadonlyArray<Number>
      /** A sentence for the person that typed it, without its subject: "must be …". */
      readonly message: string
    }

/** The error text for a country. */
export const COUNTRY = "must be the ISO 3166-1 alpha-2 code of a country with phone numbers, such as DE"

export const messages: Readonly<Record<Unread, string>> = {
  unknown_country: `needs another country: it ${COUNTRY}`,
  no_number: "must be a phone number, such as +4915123456789",
  extension: "must be one number without an extension or anything else behind it",
  country_needed: "must begin with a plus sign and the calling code, such as +49 for Germany",
  ambiguous: "can be read as two numbers: it must begin with a plus sign and the calling code, such as +49 for Germany",
  impossible: "must be a phone number that is possible for its country"
}

/**
 * The number that a text means. A text with two valid readings has no number: a code would go to a stranger.
 *
 * @param country ISO 3166-1 alpha-2 code of where a number without a calling code is dialled
 */
export const read = (text: string, country?: string): Read => {
  if (country !== undefined && !isCountry(country)) return unread("unknown_country", [])
  const given = typed(text)
  if (typeof given === "string") return unread(given, [])
  const found = readingsOf(given, country)
  const valid = found.filter(({ isValid }) => isValid)
  const [one, ...more] = valid.length > 0 ? valid : found
  if (one === undefined) return refusal(given, country)
  return more.length > 0 ? unread("ambiguous", numbersOf([one, ...more])) : { number: one.number }
}

const unread = (reason: Unread, readings: ReadonlyArray<string>): Read => ({
  number: null,
  reason,
  readings,
  message: messages[reason]
})

const numbersOf = (readings: ReadonlyArray<Looked>): ReadonlyArray<string> => readings.map(({ number }) => number)

/** A text that would be a number with a plus sign is only suggested: the person may have meant it. */
const refusal = ({ digits, hasPlus }: Typed, country: string | undefined): Read => {
  const meant = hasPlus ? [] : [inFull(digits), fromAbroad(digits)].flatMap(possible)
  const readings = numbersOf(meant.filter(({ isValid }) => isValid))
  return unread(!hasPlus && country === undefined ? "country_needed" : "impossible", readings)
}

/** Every number that a text may mean and that is possible for its country, each once. */
const readingsOf = (given: Typed, country: string | undefined): ReadonlyArray<Looked> => {
  const { digits, hasPlus } = given
  const all = hasPlus ? [inFull(digits), inFull(withoutBracketed(given))] : withoutPlus(given, country)
  return all
    .flatMap(possible)
    .filter(({ number }, at, found) => found.findIndex((each) => each.number === number) === at)
}

/**
 * As it is dialled in the country; as if a plus sign were missing; as from a country whose international prefix is 00.
 */
const withoutPlus = (given: Typed, country: string | undefined): ReadonlyArray<Looked | null> => {
  if (country === undefined || !isCountry(country)) return []
  const { bracketed, digits } = given
  const code = callingCodeIn(country) ?? ""
  const international = digits.startsWith(code) ? [inFull(digits), inFull(withoutBracketed(given))] : []
  // Behind `49(0)` there is no other reading.
  if (digits.slice(0, bracketed ?? 0) === code) return international
  const dialled = lookUp(digits, country)
  // Japan has numbers that begin with 00 and that no other country reaches; its plan accepts any digits after 00.
  const asDialled = dialled?.number.startsWith(`+${code}00`) ? null : dialled
  const isKnown = asDialled?.isPossible === true
  return [asDialled, ...international, fromAbroad(digits), ...(isKnown ? [] : byCarrier(digits, country))]
}

/**
 * As from a country where each carrier has one digit or two of its own behind 00, which the plans do not list in full.
 */
const byCarrier = (digits: string, country: string): ReadonlyArray<Looked | null> =>
  digits.startsWith("00") && hasCarriers(country) ? [inFull(digits.slice(3)), inFull(digits.slice(4))] : []

const inFull = (digits: string): Looked | null => lookUp(`+${digits}`)

const fromAbroad = (digits: string): Looked | null => (digits.startsWith("00") ? inFull(digits.slice(2)) : null)

const withoutBracketed = ({ bracketed, digits }: Typed): string =>
  bracketed === null ? digits : digits.slice(0, bracketed) + digits.slice(bracketed + 1)

/** A number by today's plan of its country, as fields in E.164 form take it. */
const possible = (looked: Looked | null): ReadonlyArray<Looked> => {
  if (looked === null) return []
  const now = renewal(looked)
  if (now !== null) return [{ number: now.number, isPossible: true, isValid: true }]
  return mistake(looked.number) === undefined ? [looked] : []
}
