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
import { metadata } from "./phoneMetadata.ts"

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
  commonLengths ??= readCommonLengths()
  // No calling code is the beginning of another.
  for (let end = 2; end <= 4; end++) {
    const lengths = commonLengths.get(number.slice(1, end))
    if (lengths !== undefined) return lengths.includes(number.length - end)
  }
  return false
}

/** By calling code: the lengths of national numbers that are possible in every country that has it. */
let commonLengths: ReadonlyMap<string, ReadonlyArray<number>> | undefined

const readCommonLengths = (): ReadonlyMap<string, ReadonlyArray<number>> => {
  const plans = new Metadata(metadata)
  const common = new Map<string, ReadonlyArray<number>>()
  for (const country of getCountries(metadata)) {
    plans.selectNumberingPlan(country)
    const lengths = plans.numberingPlan?.possibleLengths() ?? []
    const code = getCountryCallingCode(country, metadata)
    common.set(code, common.get(code)?.filter((length) => lengths.includes(length)) ?? lengths)
  }
  return common
}

/** ISO 3166-1 alpha-2 code of a number's country, or null where the number belongs to none (`+800…`). */
export const countryOf = (number: E164): string | null => parse(number)?.country ?? null

const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })

/** The English name of a country, or null for an unknown code. */
export const countryName = (code: string): string | null => names.of(code) ?? null

/** A number as logs and messages may show it: the first three and the last two digits. */
export const masked = (number: string): string =>
  number.length > 7 ? `${number.slice(0, 4)}${"*".repeat(number.length - 6)}${number.slice(-2)}` : "***"
