/**
 * Phone numbers in E.164 form, and the country they belong to.
 *
 * Source: ITU-T E.164; country metadata from libphonenumber.
 */
import * as Schema from "effect/Schema"
import { assignedTo, codeOf } from "./phone/Plans.ts"
import { type Read, messages, read } from "./phone/Reading.ts"
import { SHAPE, mistake } from "./phone/Spelling.ts"

/**
 * `+` and 7 to 15 digits, the first not 0, possible for its country, and written as libphonenumber writes it: without a
 * national trunk prefix behind the calling code (`+44 7400…`, not `+44 07400…`). A number has one spelling, so that
 * prices, records, lists and claims are about the same one. Decoding explains the mistake in a text; Effect's `make`
 * does not.
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
  Schema.makeFilter(mistake, { toJsonSchema: () => [{ pattern: SHAPE.source }, true] })
).pipe(Schema.brand("E164"))
export type E164 = typeof E164.Type

export { callingCodeIn, isCallingCode, isCountry } from "./phone/Plans.ts"
export { otherSpelling } from "./phone/Spelling.ts"
export type { Unread } from "./phone/Reading.ts"

/** The result of {@link parse}: the number, or why the text is not exactly one number. */
export type Parsed = Read<E164>

/**
 * Reads a number as people type it and address books keep it: with blanks, brackets and hyphens, from abroad (`+49 …`,
 * `0049 …` in Germany) or, with a country, as it is dialled there; in the digits of any script, with the marks that
 * contacts and chats put around it, as a `tel:` link, and by a plan that its country has replaced (`+52 1 …`).
 *
 * A text with two valid readings has no number: `4915123456789` is a German mobile number whose plus sign is missing,
 * and a landline of Leer. The answer then has both readings, and the page asks. Other reasons: `country_needed` (no
 * plus sign and no country), `unknown_country`, `extension`, `impossible`, `no_number`.
 *
 * @param country ISO 3166-1 alpha-2 code of where a number without a calling code is dialled
 *
 * @example
 * ```ts
 * import { parse } from "@watchword/schemas/PhoneNumber"
 *
 * console.log(parse("01512 3456789", "DE").number) // +4915123456789
 * const parsed = parse("4915123456789", "DE")
 * const answer = parsed.number === null ? parsed.readings.join(" or ") : parsed.number
 * console.log(answer) // +494915123456789 or +4915123456789
 * ```
 */
export const parse = (text: string, country?: string): Parsed => {
  const found = read(text, country)
  if (found.number === null) return { ...found, readings: found.readings.filter(isE164) }
  if (isE164(found.number)) return { number: found.number }
  // The reader takes what fields take.
  return { number: null, reason: "impossible", readings: [], message: messages.impossible }
}

const isE164 = Schema.is(E164)

/**
 * ISO 3166-1 alpha-2 code of a number's country, or null if the number belongs to none (`+800…`). A number that no
 * country of a shared calling code has assigned is of the code's main country, as +1 is of the United States.
 */
export const countryOf = (number: E164): string | null => {
  const code = codeOf(number)
  if (code === undefined) return null
  if (!code.isShared) return code.main
  const before = countries.get(number)
  if (before !== undefined) return before
  const country = assignedTo(number) ?? code.main
  if (countries.size >= MOST_COUNTRIES) countries.clear()
  countries.set(number, country)
  return country
}

/** The calling code of a number, such as `49`; null if it is not in use. */
export const callingCodeOf = (number: E164): string | null => {
  const code = codeOf(number)
  return code === undefined ? null : number.slice(1, 1 + code.digits)
}

/** Numbers of shared calling codes: to parse one takes up to 16 µs, and guard, record and metrics of a send all ask. */
const countries = new Map<string, string>()
const MOST_COUNTRIES = 1_000

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
