/**
 * Texts with places for a code and other values, by locale.
 *
 * A template is checked when it is set: what could go wrong at the time of a send is refused then, with the character
 * or the name that is to blame.
 *
 * Source: BCP 47 (RFC 5646), RFC 4647 §3.4 (lookup).
 */
import { encode } from "@watchword/sms/EncodedText"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { builtInTexts } from "../internal/builtInTexts.ts"

/** A text with places: `{{code}}`, and others by their names. */
export interface Template {
  readonly name: string
  /** In the form that BCP 47 recommends: `de`, `pt-BR`. */
  readonly locale: string
  readonly text: string
}

export class TemplateError extends Schema.TaggedError<TemplateError>()("TemplateError", {
  /** The part of the template that is to blame. */
  field: Schema.Literals(["name", "locale", "text"]),
  message: Schema.String
}) {}

const PLACE = /\{\{\s*([A-Za-z][A-Za-z0-9_]{0,31})\s*\}\}/g
const BRACES = /\{\{|\}\}/

/** The most characters of a value that a client or an operator gives for a place. */
export const LONGEST_VALUE = 20

/** The most characters that a template is checked with, for each place. */
export const LONGEST = { code: 8, minutes: 2, other: LONGEST_VALUE }

const LONGEST_BRAND = "x".repeat(LONGEST_VALUE)

/**
 * Makes a template that works for any send: it contains the code, and the text fits one SMS whatever fills its
 * placeholders.
 *
 * @param brand the name that is known to be in texts, where there is one
 *
 * @example
 * ```ts
 * import { Template } from "@watchword/verify/operator"
 *
 * Template.make("login", "de-at", "{{code}} ist Ihr Code.")
 * ```
 */
export const make = (
  name: string,
  locale: string,
  text: string,
  brand?: string
): Result.Result<Template, TemplateError> => {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)) {
    return fail("name", "must be 1 to 64 lower-case letters, digits, hyphens or underscores")
  }
  const normal = canonical(locale)
  if (normal === null) return fail("locale", "must be a language tag such as de or pt-BR")
  const fault = faultOf(text, { locale: normal, brand })
  return fault === undefined ? Result.succeed({ name, locale: normal, text }) : fail("text", fault)
}

const fail = (field: TemplateError["field"], message: string) => Result.fail(new TemplateError({ field, message }))

/** What keeps a text from being a template; undefined for nothing. */
export const faultOf = (
  text: string,
  { brand = LONGEST_BRAND, locale = "" }: { readonly brand?: string | undefined; readonly locale?: string } = {}
): string | undefined => {
  const places = [...text.matchAll(PLACE)].map(([, place = ""]) => place)
  if (!places.includes("code")) return "must contain {{code}}"
  if (BRACES.test(text.replaceAll(PLACE, ""))) return "has braces that do not form a {{place}}"
  const stray = strayCharacter(text, locale)
  if (stray !== null) {
    const point = stray.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")
    return `has ${JSON.stringify(stray)} (U+${point}), which GSM 7-bit does not have: an SMS has 70 characters with it, not 160`
  }
  if (fitsOneSms(text, brand) && fitsOneSms(text, LONGEST_BRAND)) return undefined
  const isGsm7 = encode(longest(text, brand)).encoding === "gsm7"
  const limit = isGsm7 ? "160 characters" : "70 characters, because of letters outside of GSM 7-bit"
  return `must fit one SMS of ${limit}, with values of up to ${LONGEST.other} characters in its places`
}

/** Whether a template's text fits one SMS with a brand, whatever fills its other places. */
export const fitsOneSms = (text: string, brand: string): boolean => encode(longest(text, brand)).parts.length === 1

const longest = (text: string, brand: string): string =>
  text.replaceAll(PLACE, (_, place: string) => {
    if (place === "brand") return brand
    return place === "code" || place === "minutes" ? "0".repeat(LONGEST[place]) : "x".repeat(LONGEST.other)
  })

/** Languages whose letters are all in GSM 7-bit. */
const WITHIN_GSM7 = new Set(["da", "de", "en", "fi", "id", "it", "ms", "nb", "nl", "nn", "no", "sv", "sw"])

/**
 * The first character that keeps a text out of GSM 7-bit although its language could stay in it: typographic quotes and
 * dashes, emoji, or a single letter that another word would not have. Null for languages that need other letters.
 */
const strayCharacter = (text: string, locale: string): string | null => {
  const stray = [...new Set(text)].filter((character) => encode(character).encoding !== "gsm7")
  const letters = stray.filter((character) => LETTER.test(character))
  const [language = ""] = locale.split("-")
  const isAvoidable = WITHIN_GSM7.has(language) || letters.length === 0 || (letters.length === 1 && isLatin(letters))
  return isAvoidable ? (stray[0] ?? null) : null
}

const LETTER = /[\p{L}\p{M}]/u

const isLatin = (letters: ReadonlyArray<string>): boolean => letters.every((letter) => /\p{Script=Latin}/u.test(letter))

/** A language tag as BCP 47 recommends to write it; null if it is not valid. */
export const canonical = (locale: string): string | null => {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? null
  } catch {
    return null
  }
}

/** The tags to look a locale up by, from the closest on: `zh-Hant-TW`, `zh-Hant`, `zh`. */
export const lookup = (locale: string): ReadonlyArray<string> => {
  const subtags = locale.split("-")
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join("-"))
}

/** The language that every text is there in. */
export const FALLBACK = "en"

/**
 * The template of a name for a locale: by {@link lookup}, then likewise for the account's locale, then in English.
 *
 * @param locales from the most to the least wanted
 */
export const find = (
  templates: ReadonlyArray<Template>,
  name: string,
  locales: ReadonlyArray<string>
): Template | undefined => {
  for (const locale of [...locales, FALLBACK].flatMap(lookup)) {
    const found = templates.findLast((each) => each.locale === locale && each.name === name)
    if (found !== undefined) return found
  }
  return undefined
}

/** The name of the default templates, and of Watchword's built-in ones. */
export const DEFAULT = "default"

/** The templates that come with Watchword, in the languages of {@link builtInTexts}. */
export const builtIn: ReadonlyArray<Template> = Object.entries(builtInTexts).map(([locale, text]) => ({
  name: DEFAULT,
  locale,
  text
}))

/** The text with values in its places; the name of a place without a value where there is one. */
export const fill = (
  { text }: Template,
  values: Readonly<Record<string, string>>
): Result.Result<string, { readonly missing: string }> => {
  const without: Array<string> = []
  const filled = text.replaceAll(PLACE, (_, place: string) => {
    if (!Object.hasOwn(values, place)) without.push(place)
    return values[place] ?? ""
  })
  const [missing] = without
  return missing === undefined ? Result.succeed(filled) : Result.fail({ missing })
}

/** The text with example values: a code of six digits, ten minutes, and other places by name. */
export const example = ({ text }: Template, brand: string): string => {
  const values: Readonly<Record<string, string>> = { brand, code: "123456", minutes: "10" }
  return text.replaceAll(PLACE, (_, place: string) => values[place] ?? place)
}
