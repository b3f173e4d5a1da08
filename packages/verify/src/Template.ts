/**
 * Texts with places for a code and other values, by locale.
 *
 * A template is checked when it is set: what could go wrong at the time of a send is refused then, with the character or
 * the name that is to blame.
 *
 * Source: BCP 47 (RFC 5646), RFC 4647 §3.4 (lookup).
 */
import { encode } from "@watchword/sms/EncodedText"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { builtInTexts } from "./internal/builtInTexts.ts"

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

const LONGEST = { code: 8, minutes: 2, brand: LONGEST_VALUE, other: LONGEST_VALUE }

/**
 * A template that any send can be made of: the code is in it, and the text fits one SMS whatever fills its places.
 *
 * @example
 * ```ts
 * import * as Template from "@watchword/verify/Template"
 *
 * Template.make("login", "de-at", "{{code}} ist Ihr Code.")
 * ```
 */
export const make = (name: string, locale: string, text: string): Result.Result<Template, TemplateError> => {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)) {
    return fail("name", "must be 1 to 64 lower-case letters, digits, hyphens or underscores")
  }
  const normal = canonical(locale)
  if (normal === null) return fail("locale", "must be a language tag such as de or pt-BR")
  const fault = faultOf(text)
  return fault === undefined ? Result.succeed({ name, locale: normal, text }) : fail("text", fault)
}

const fail = (field: TemplateError["field"], message: string) => Result.fail(new TemplateError({ field, message }))

/** What keeps a text from being a template; undefined for nothing. */
export const faultOf = (text: string): string | undefined => {
  const places = [...text.matchAll(PLACE)].map(([, place = ""]) => place)
  if (!places.includes("code")) return "must have {{code}} in it"
  if (BRACES.test(text.replaceAll(PLACE, ""))) return "has braces that are no {{place}}"
  const widest = text.replaceAll(PLACE, (_, place: string) => widestOf(place))
  const { encoding, parts } = encode(widest)
  const foreign = encoding === "gsm7" ? null : strayCharacter(widest)
  if (foreign !== null) return `has ${foreign}, which GSM 7-bit cannot write: a part would take 70 characters, not 160`
  if (parts.length === 1) return undefined
  const limit = encoding === "gsm7" ? "160 characters" : "70 characters, because of letters outside of GSM 7-bit"
  return `must fit one SMS of ${limit}, with values of up to ${LONGEST.other} characters in its places`
}

const widestOf = (place: string): string => {
  if (place === "code" || place === "minutes") return "0".repeat(LONGEST[place])
  return "x".repeat(place === "brand" ? LONGEST.brand : LONGEST.other)
}

/**
 * The character that alone keeps a text out of GSM 7-bit, quoted; null where the language cannot be written in it, which
 * is taken to be so from the second such letter on.
 */
const strayCharacter = (text: string): string | null => {
  const stray = new Set([...text].filter((character) => encode(character).encoding !== "gsm7"))
  const [first] = stray
  return stray.size === 1 && first !== undefined ? JSON.stringify(first) : null
}

/** A language tag as BCP 47 recommends to write it; null where it is none. */
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
  const ofName = new Map(templates.filter((each) => each.name === name).map((each) => [each.locale, each]))
  for (const locale of [...locales, FALLBACK].flatMap(lookup)) {
    const found = ofName.get(locale)
    if (found !== undefined) return found
  }
  return undefined
}

/** The name of the templates that are used unless another is asked for, and of those that come with Watchword. */
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
  const missing = [...text.matchAll(PLACE)].find(([, place = ""]) => !Object.hasOwn(values, place))?.[1]
  if (missing !== undefined) return Result.fail({ missing })
  return Result.succeed(text.replaceAll(PLACE, (_, place: string) => values[place] ?? ""))
}
