/**
 * How a text that should be a number in E.164 form is written, and what keeps it from being one.
 *
 * Source: ITU-T E.164; libphonenumber's normal form.
 */
import { kindOf } from "./Characters.ts"
import { renewal } from "./OldPlans.ts"
import { isPlain, lookUp } from "./Plans.ts"

export const SHAPE = /^\+[1-9][0-9]{6,14}$/

const E164 = "must be a phone number in E.164 form"
const IMPOSSIBLE = `${E164}: a plus sign and 7 to 15 digits, possible for its country`
const OTHER_SPELLING =
  "must be written without the national trunk prefix behind the calling code, such as +447400123456 and not +4407400123456"

/** Explains why a text is not a number in E.164 form; undefined if it is one. */
export const mistake = (text: string): string | undefined => {
  if (!SHAPE.test(text)) return shapeless(text)
  // Most numbers are known by their first digits and their length.
  if (isPlain(text)) return undefined
  const looked = lookUp(text)
  if (looked?.isPossible === true) return looked.number === text ? undefined : OTHER_SPELLING
  return (looked && replaced(looked.number)) ?? IMPOSSIBLE
}

/** The mistake in the spelling of a possible number; undefined for all other texts, which may not be numbers at all. */
export const otherSpelling = (text: string): string | undefined =>
  SHAPE.test(text) && mistake(text) === OTHER_SPELLING ? OTHER_SPELLING : undefined

/** Names the correct spelling, but not the number: applications log their answers. */
const replaced = (number: string): string | undefined => {
  const found = renewal({ number, isPossible: false, isValid: false })
  return found === null
    ? undefined
    : `must be written as its country does since ${found.change.since}: ${found.change.says}`
}

const shapeless = (text: string): string => {
  if (text.length > LONGEST) return IMPOSSIBLE
  const foreign = foreignCharacter(text)
  if (foreign !== undefined) return foreign
  if (/^[\s(]*tel:/i.test(text)) return `${E164}, without the tel: of a link`
  if (!/^\+?[0-9(][0-9 ()./-]{5,29}$/.test(text)) return IMPOSSIBLE
  if (/[^+0-9]/.test(text)) return `${E164}: a plus sign and digits, without spaces, brackets or hyphens`
  if (text.startsWith("0")) return `${E164}: a plus sign and the calling code instead of the zeros`
  return text.startsWith("+")
    ? IMPOSSIBLE
    : `${E164}: with a plus sign before the calling code, such as +49 for Germany`
}

/** A longer text is not just a number with some characters too many. */
const LONGEST = 64

/** A character that a keyboard or an address book put into a number, where the person may not see it. */
const foreignCharacter = (text: string): string | undefined => {
  const characters = [...text]
  const kinds = characters.map(kindOf)
  if (kinds.includes(undefined)) return undefined
  const digits = kinds.filter((kind) => kind === "digit").length
  // A text with only a few digits is not a number either way.
  if (digits < 5) return undefined
  const at = characters.findIndex((character, place) => !isAscii(character) || isOutside(kinds, place))
  const [character, kind] = [characters[at], kinds[at]]
  if (character === undefined || kind === undefined) return undefined
  const place = placeOf(kinds.slice(0, at), digits, kinds.includes("plus", at + 1))
  return `has ${named[kind]} (${codeOf(character)}) ${place}: ${mends[kind] ?? "leave it out"}`
}

const isAscii = (character: string): boolean => character >= " " && character <= "~"

/** Whether a space is before or after all visible characters. */
const isOutside = (kinds: ReadonlyArray<string | undefined>, place: number): boolean =>
  kinds[place] === "blank" && (place === 0 || place === kinds.length - 1)

const named = {
  digit: "a digit that is not one of 0 to 9",
  plus: "a plus sign that is not +",
  open: "a bracket",
  close: "a bracket",
  blank: "a blank",
  invisible: "an invisible character",
  separator: "a separator"
} as const

const mends: Readonly<Partial<Record<keyof typeof named, string>>> = {
  digit: "write 0 to 9",
  plus: "write it as +"
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

const placeOf = (before: ReadonlyArray<string | undefined>, digits: number, isPlusBehind: boolean): string => {
  const passed = before.filter((kind) => kind === "digit").length
  if (passed === digits) return "behind the last digit"
  if (passed > 0) return `behind digit ${passed}`
  return isPlusBehind ? "before the plus sign" : "before the first digit"
}
