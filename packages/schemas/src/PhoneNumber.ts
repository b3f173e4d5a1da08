/**
 * Phone numbers in E.164 form, and the country they belong to.
 *
 * Source: ITU-T E.164; country metadata from libphonenumber.
 */
import * as Schema from "effect/Schema"
import {
  Metadata,
  type PhoneNumber as Parsed,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString
} from "libphonenumber-js/core"
import { metadata } from "./internal/phoneMetadata.ts"

const SHAPE = /^\+[1-9][0-9]{6,14}$/

/**
 * `+` and 7 to 15 digits, the first not 0, and possible for its country.
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
  Schema.makeFilter((text) =>
    isPossible(text)
      ? undefined
      : "must be a phone number in E.164 form: a plus sign and 7 to 15 digits, possible for its country"
  )
).pipe(Schema.brand("E164"))
export type E164 = typeof E164.Type

const parse = (text: string): Parsed | undefined =>
  SHAPE.test(text) ? parsePhoneNumberFromString(text, metadata) : undefined

// Most numbers can be told by their length alone, at a hundredth of what parsing them costs.
const isPossible = (text: string): boolean =>
  SHAPE.test(text) && (hasCommonLength(text) || (parse(text)?.isPossible() ?? false))

const hasCommonLength = (number: string): boolean => {
  const code = codeOf(number)
  return code?.lengths.includes(number.length - 1 - code.digits) ?? false
}

/** Metadata of the countries that share a calling code. */
interface CallingCode {
  /** How many digits it has itself. */
  readonly digits: number
  /** The lengths of national numbers that are possible in all of them. */
  readonly lengths: ReadonlyArray<number>
  /** The one country that has it, or null when several have. */
  readonly country: string | null
}

const codeOf = (number: string): CallingCode | undefined => {
  codes ??= readCodes()
  // No calling code is the beginning of another.
  return codes.get(number.slice(1, 2)) ?? codes.get(number.slice(1, 3)) ?? codes.get(number.slice(1, 4))
}

let codes: ReadonlyMap<string, CallingCode> | undefined

const readCodes = (): ReadonlyMap<string, CallingCode> => {
  const plans = new Metadata(metadata)
  const read = new Map<string, CallingCode>()
  for (const country of getCountries(metadata)) {
    plans.selectNumberingPlan(country)
    const possible = plans.numberingPlan?.possibleLengths() ?? []
    const code = getCountryCallingCode(country, metadata)
    const others = read.get(code)
    const lengths = others?.lengths.filter((length) => possible.includes(length)) ?? possible
    read.set(code, { digits: code.length, lengths, country: others === undefined ? country : null })
  }
  return read
}

/** ISO 3166-1 alpha-2 code of a number's country, or null where the number belongs to none (`+800…`). */
export const countryOf = (number: E164): string | null => codeOf(number)?.country ?? parse(number)?.country ?? null

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
