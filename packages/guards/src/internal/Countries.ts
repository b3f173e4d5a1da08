/**
 * Countries as rules, blocks and counters have them: each is a place, and all numbers of no country together are one,
 * such as satellite phones (+881, +870), international networks (+882, +883) and personal numbers (+878).
 */
import { type E164, countryOf, isCountry } from "@watchword/schemas/PhoneNumber"

/** The place of numbers of no country: the code of the world (UN M.49), as in libphonenumber. */
export const NO_COUNTRY = "001"

export const placeOf = (to: E164): string => countryOf(to) ?? NO_COUNTRY

export const isPlace = (code: string): boolean => code === NO_COUNTRY || isCountry(code)

/**
 * Countries that share another country's plan, which identifies their mobile numbers: a rule that names only one of
 * the two does not reach its users. EH and MF have no numbers at all.
 *
 * Source: libphonenumber 9, numbers of examples.
 */
const shared: ReadonlyMap<string, string> = new Map([
  ["AX", "FI"],
  ["BL", "GP"],
  ["CC", "AU"],
  ["CX", "AU"],
  ["EH", "MA"],
  ["MF", "GP"],
  ["SJ", "NO"],
  ["VA", "IT"]
])

/** The country as whose the mobile numbers of another one count; null if it has mobile numbers of its own. */
export const countedAs = (country: string): string | null => shared.get(country) ?? null
