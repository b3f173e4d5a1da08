/**
 * Countries to choose from, by their names in the user's language.
 */
import { callingCodes } from "./callingCodes.ts"

export interface Country {
  /** ISO 3166-1 alpha-2 code. */
  readonly code: string
  /** Such as `49`. */
  readonly callingCode: string
  readonly name: string
}

/** Calling codes, by country. */
const codes: ReadonlyMap<string, string> = new Map(
  callingCodes.split(" ").map((entry) => [entry.slice(0, 2), entry.slice(2)])
)

/** The calling code of a country, such as `49`; `undefined` if the country has no phone numbers. */
export const callingCodeOf = (country: string): string | undefined => codes.get(country)

/** The countries that have phone numbers, in the order of a language. */
export const countriesIn = (language: string): ReadonlyArray<Country> => {
  const names = new Intl.DisplayNames([language, "en"], { type: "region" })
  return [...codes]
    .map(([code, callingCode]) => ({ code, callingCode, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, language))
}

/** The country of a language tag, such as DE of `de-DE`; undefined without one. */
export const countryOfTag = (tag: string): string | undefined => {
  const [, region = ""] = /-([A-Z]{2})(?:-|$)/i.exec(tag) ?? []
  return codes.has(region.toUpperCase()) ? region.toUpperCase() : undefined
}
