/**
 * Phone numbers in E.164 form, and the country they belong to.
 *
 * Source: ITU-T E.164; country metadata from libphonenumber.
 */
import * as Schema from "effect/Schema"
import { type CountryCode, Metadata, getCountryCallingCode, parsePhoneNumberFromString } from "libphonenumber-js/core"
import { metadata } from "./internal/phoneMetadata.ts"

const SHAPE = /^\+[1-9][0-9]{6,14}$/

/**
 * `+` and 7 to 15 digits, the first not 0, possible for its country, and written as libphonenumber writes it: without a
 * national trunk prefix behind the calling code (`+44 7400…`, not `+44 07400…`). A number has one spelling, so that
 * prices, records, lists and claims are about the same one. Decoding says what is wrong with a text; Effect's `make` does not.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { E164 } from "@watchword/schemas/PhoneNumber"
 *
 * Schema.decodeUnknownSync(E164)("+4915123456789")
 * ```
 */
export const E164 = Schema.String.check(
  Schema.makeFilter((text) => messages[spelling(text)], { toJsonSchema: () => [{ pattern: SHAPE.source }, true] })
).pipe(Schema.brand("E164"))
export type E164 = typeof E164.Type

/** How a text that should be a number in E.164 form is written. */
type Spelling = "normal" | "other" | "impossible" | "separated" | "dialled" | "unsigned"

const OTHER_SPELLING =
  "must be written without the national trunk prefix behind the calling code, such as +447400123456 and not +4407400123456"

const messages: Readonly<Record<Spelling, string | undefined>> = {
  normal: undefined,
  other: OTHER_SPELLING,
  impossible: "must be a phone number in E.164 form: a plus sign and 7 to 15 digits, possible for its country",
  separated: "must be a phone number in E.164 form: a plus sign and digits, without spaces, brackets or hyphens",
  dialled: "must be a phone number in E.164 form: a plus sign and the calling code in the place of the zeros",
  unsigned: "must be a phone number in E.164 form: with a plus sign before the calling code, such as +49 for Germany"
}

/** What is wrong with the spelling of a possible number; undefined for all other texts, which need be no numbers. */
export const otherSpelling = (text: string): string | undefined =>
  spelling(text) === "other" ? OTHER_SPELLING : undefined

// Most numbers can be told by their first digits and their length, at a hundredth of what parsing them costs.
const spelling = (text: string): Spelling => {
  if (!SHAPE.test(text)) return mistake(text)
  if (isPlain(text)) return "normal"
  const parsed = parsePhoneNumberFromString(text, metadata)
  if (parsed === undefined || !parsed.isPossible()) return "impossible"
  return parsed.number === text ? "normal" : "other"
}

/** What keeps a text from being a number in E.164 form. */
const mistake = (text: string): Spelling => {
  if (!/^\+?[0-9(][0-9 ()./-]{5,29}$/.test(text)) return "impossible"
  if (/[^+0-9]/.test(text)) return "separated"
  if (text.startsWith("0")) return "dialled"
  return text.startsWith("+") ? "impossible" : "unsigned"
}

/**
 * Reads a number as people write it: with spaces, brackets and hyphens, from abroad (`+49 …`, `0049 …` in Germany) or, with
 * a country, as it is dialled there. Null where that is no possible number.
 *
 * @param country ISO 3166-1 alpha-2 code of where a number without a calling code is dialled
 *
 * @example
 * ```ts
 * import { parse } from "@watchword/schemas/PhoneNumber"
 *
 * console.log(parse("01512 3456789", "DE")) // +4915123456789
 * console.log(parse("01512 3456789")) // null
 * ```
 */
export const parse = (text: string, country?: string): E164 | null => {
  const defaultCountry = country !== undefined && isCountryCode(country) ? country : undefined
  const parsed = parsePhoneNumberFromString(
    text,
    { ...(defaultCountry && { defaultCountry }), extract: false },
    metadata
  )
  if (parsed === undefined || !parsed.isPossible() || parsed.ext !== undefined) return null
  return isE164(parsed.number) ? parsed.number : null
}

const isE164 = Schema.is(E164)

const isCountryCode = (code: string): code is CountryCode => isCountry(code)

/** Whether a number is of a common length and begins with no national prefix. */
const isPlain = (number: string): boolean => {
  const code = codeOf(number)
  if (code === undefined || !code.lengths.includes(number.length - 1 - code.digits)) return false
  return code.prefix === null || !code.prefix.test(number.slice(1 + code.digits))
}

/** Metadata of the countries that share a calling code. */
interface CallingCode {
  /** How many digits it has itself. */
  readonly digits: number
  /** The lengths of national numbers that are possible in all of them. */
  readonly lengths: ReadonlyArray<number>
  /** What libphonenumber may take away from the beginning of a national number, or replace. */
  readonly prefix: RegExp | null
  /** The first of them by libphonenumber's order, which is the one of numbers that none of them has assigned. */
  readonly main: string
  readonly isShared: boolean
}

const codeOf = (number: string): CallingCode | undefined => {
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

// Places of the fields in libphonenumber's arrays, which the library reads by methods without types.
const NATIONAL_PREFIX = 5
const NATIONAL_PREFIX_FOR_PARSING = 7

// Some patterns are all optional, and take nothing away where they match nothing.
const prefixOf = (country: CountryCode): RegExp | null => {
  const plan: ReadonlyArray<unknown> = metadata.countries[country] ?? []
  const prefix = plan[NATIONAL_PREFIX_FOR_PARSING] || plan[NATIONAL_PREFIX]
  return typeof prefix === "string" ? new RegExp(`^(?:${prefix})(?<=[0-9])`) : null
}

/**
 * ISO 3166-1 alpha-2 code of a number's country, or null where the number belongs to none (`+800…`). A number that no
 * country of a shared calling code has assigned is of the code's main country, as +1 is of the United States.
 */
export const countryOf = (number: E164): string | null => {
  const code = codeOf(number)
  if (code === undefined) return null
  if (!code.isShared) return code.main
  const before = countries.get(number)
  if (before !== undefined) return before
  const country = parsePhoneNumberFromString(number, metadata)?.country ?? code.main
  if (countries.size >= MOST_COUNTRIES) countries.clear()
  countries.set(number, country)
  return country
}

/** The calling code of a number, such as `49`; null for a number without one that is in use. */
export const callingCodeOf = (number: E164): string | null => {
  const code = codeOf(number)
  return code === undefined ? null : number.slice(1, 1 + code.digits)
}

/** Whether digits are a calling code that is in use, such as `49`. */
export const isCallingCode = (digits: string): boolean => Object.hasOwn(metadata.country_calling_codes, digits)

/** The calling code of a country by its ISO 3166-1 alpha-2 code, such as `49`; null for an unknown one. */
export const callingCodeIn = (country: string): string | null =>
  isCountryCode(country) ? getCountryCallingCode(country, metadata) : null

/** Numbers of shared calling codes: to parse one takes up to 16 µs, and guard, record and metrics of a send all ask. */
const countries = new Map<string, string>()
const MOST_COUNTRIES = 1_000

/** Whether a text is the ISO 3166-1 alpha-2 code of a country that has phone numbers. */
export const isCountry = (code: string): boolean => Object.hasOwn(metadata.countries, code)

const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })

/** Cache: composing a name takes as long as parsing a number. */
const known = new Map<string, string | null>()

/** The English name of a country, or null for an unknown code. */
export const countryName = (code: string): string | null => {
  const before = known.get(code)
  if (before !== undefined) return before
  const name = names.of(code) ?? null
  // There are some 250 countries, and this may be asked about anything.
  if (known.size < 500) known.set(code, name)
  return name
}

/** A number as logs and messages may show it: the first three and the last two digits. */
export const masked = (number: string): string =>
  number.length > 7 ? `${number.slice(0, 4)}${"*".repeat(number.length - 6)}${number.slice(-2)}` : "***"
