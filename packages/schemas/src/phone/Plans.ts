/**
 * Numbering plans by calling code and by country.
 *
 * Source: country metadata from libphonenumber.
 */
import { type CountryCode, Metadata, getCountryCallingCode, parsePhoneNumberFromString } from "libphonenumber-js/core"
import { metadata } from "./metadata.ts"

/** Whether a text is the ISO 3166-1 alpha-2 code of a country that has phone numbers. */
export const isCountry = (code: string): code is CountryCode => Object.hasOwn(metadata.countries, code)

/** The calling code of a country by its ISO 3166-1 alpha-2 code, such as `49`; null for an unknown one. */
export const callingCodeIn = (country: string): string | null =>
  isCountry(country) ? getCountryCallingCode(country, metadata) : null

/** Whether digits are a calling code that is in use, such as `49`. */
export const isCallingCode = (digits: string): boolean => Object.hasOwn(metadata.country_calling_codes, digits)

/**
 * Whether callers to other countries choose a carrier: they dial 00 and at least one more digit, and 00 by itself is
 * not a prefix.
 */
export const hasCarriers = (country: string): boolean => {
  const prefix = isCountry(country) ? (metadata.countries[country] ?? [])[INTERNATIONAL_PREFIX] : undefined
  return typeof prefix === "string" && prefix.startsWith("00") && !new RegExp(`^(?:${prefix})$`).test("00")
}

/** What libphonenumber makes of a number. */
export interface Looked {
  /** As it is written in E.164 form, with its plus sign. */
  readonly number: string
  /** Whether numbers of its country have this length. */
  readonly isPossible: boolean
  /** Whether a number of its country may begin like this, too. */
  readonly isValid: boolean
}

/**
 * Looks a number up by the plans: digits behind a plus sign, or, with a country, as they are dialled there. Returns
 * `Null` if no number begins like that.
 */
export const lookUp = (digits: string, country?: CountryCode): Looked | null => {
  const parsed = parsePhoneNumberFromString(
    digits,
    { ...(country && { defaultCountry: country }), extract: false },
    metadata
  )
  if (parsed === undefined) return null
  return { number: parsed.number, isPossible: parsed.isPossible(), isValid: parsed.isValid() }
}

/**
 * Whether a number is of a common length and begins with no national prefix: looking it up takes a hundred times as
 * long.
 */
export const isPlain = (number: string): boolean => {
  const code = codeOf(number)
  if (code === undefined || !code.lengths.includes(number.length - 1 - code.digits)) return false
  return code.prefix === null || !code.prefix.test(number.slice(1 + code.digits))
}

/** Metadata of the countries that share a calling code. */
export interface CallingCode {
  /** How many digits it has itself. */
  readonly digits: number
  /** The lengths of national numbers that are possible in all of them. */
  readonly lengths: ReadonlyArray<number>
  /** What libphonenumber may take away from the beginning of a national number, or replace. */
  readonly prefix: RegExp | null
  /** The first of them by libphonenumber's order, which counts for numbers that no country has assigned. */
  readonly main: string
  readonly isShared: boolean
}

/** The calling code that a number in E.164 form begins with. */
export const codeOf = (number: string): CallingCode | undefined => {
  codes ??= readCodes()
  // No calling code is the beginning of another.
  return codes.get(number.slice(1, 2)) ?? codes.get(number.slice(1, 3)) ?? codes.get(number.slice(1, 4))
}

let codes: ReadonlyMap<string, CallingCode> | undefined

const readCodes = (): ReadonlyMap<string, CallingCode> =>
  new Map(
    Object.entries(metadata.country_calling_codes).flatMap(([code, countries]) => {
      const [main] = countries
      if (main === undefined) return []
      const [first = [], ...others] = countries.map(possibleLengths)
      const lengths = first.filter((length) => others.every((each) => each.includes(length)))
      return [[code, { digits: code.length, lengths, prefix: prefixOf(main), main, isShared: countries.length > 1 }]]
    })
  )

const possibleLengths = (country: CountryCode): ReadonlyArray<number> => {
  const plans = new Metadata(metadata)
  plans.selectNumberingPlan(country)
  return plans.numberingPlan?.possibleLengths() ?? []
}

// Indexes into libphonenumber's arrays, which the library reads by methods without types.
const INTERNATIONAL_PREFIX = 1
const NATIONAL_PREFIX = 5
const NATIONAL_PREFIX_FOR_PARSING = 7

// Some patterns are all optional, and take nothing away where they match nothing.
const prefixOf = (country: CountryCode): RegExp | null => {
  const plan: ReadonlyArray<unknown> = metadata.countries[country] ?? []
  const prefix = plan[NATIONAL_PREFIX_FOR_PARSING] || plan[NATIONAL_PREFIX]
  return typeof prefix === "string" ? new RegExp(`^(?:${prefix})(?<=[0-9])`) : null
}

/** The country of a number in E.164 form by its plan only, as an ISO 3166-1 alpha-2 code. */
export const assignedTo = (number: string): string | undefined => parsePhoneNumberFromString(number, metadata)?.country
