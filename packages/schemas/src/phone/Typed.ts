/**
 * Phone numbers as people type and paste them, down to their digits: the marks around them and the `tel:` of a link are
 * gone, and the digits are 0 to 9.
 *
 * Source: RFC 3966 (`tel:` with `ext`, `isub` and `phone-context`).
 */
import { asciiDigits } from "../internal/Digits.ts"
import { kindOf } from "./Characters.ts"

export interface Typed {
  readonly digits: string
  readonly hasPlus: boolean
  /** The place of a 0 in brackets of its own, the national prefix that `+44 (0)20 …` shows; null without one. */
  readonly bracketed: number | null
}

/** Why a text has no digits to read. */
export type Untyped = "no_number" | "extension"

/** No phone number that people write is longer, and libphonenumber reads no longer text. */
const LONGEST = 250

export const typed = (text: string): Typed | Untyped => {
  if (text.length > LONGEST) return "no_number"
  const subject = unlinked(text)
  if (typeof subject === "string") return subject
  if (EXTENSION.test(subject.text)) return "extension"
  return digitsOf(subject.context + subject.text)
}

/**
 * Digits behind these are dialled once the call is answered, which a text is not. Address books write `,` and `;` for
 * pauses.
 */
const EXTENSION = /\p{Nd}\p{White_Space}*[)\]]?\p{White_Space}*(?:[,;#x\uff58]|ext|poste|anexo|доб)/iu

const LINK = /^[\p{White_Space}\p{Cf}]*tel:/iu

const unlinked = (text: string): { readonly text: string; readonly context: string } | Untyped => {
  if (!LINK.test(text)) return { text, context: "" }
  const [number = "", ...parameters] = unescaped(text.replace(LINK, "")).split(";")
  let context = ""
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.trim().toLowerCase().split("=")
    if (name === "ext" || name === "isub") return "extension"
    // A context may be a domain, which says nothing of the country.
    if (name === "phone-context" && value.startsWith("+") && !number.includes("+")) context = value
  }
  return { text: number, context }
}

const unescaped = (text: string): string =>
  text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))

const BRACKETED_ZERO = "(0)"

const digitsOf = (text: string): Typed | "no_number" => {
  let digits = ""
  let hasPlus = false
  let bracketed: number | null = null
  /** The recent characters without blanks, as plain characters. */
  let written = ""
  for (const character of text) {
    switch (kindOf(character)) {
      case "digit":
        digits += asciiDigits(character)
        written += digits.slice(-1)
        break
      case "plus":
        if (digits !== "") return "no_number"
        hasPlus = true
        break
      case "open":
        written += "("
        break
      case "close":
        written += ")"
        if (written.endsWith(BRACKETED_ZERO) && digits.length > 1) bracketed ??= digits.length - 1
        break
      case "blank":
      case "separator":
      case "invisible":
        break
      case undefined:
        return "no_number"
    }
  }
  // Some write both the plus sign and the international prefix.
  const doubled = hasPlus && digits.startsWith("00") ? 2 : 0
  return digits === ""
    ? "no_number"
    : { digits: digits.slice(doubled), hasPlus, bracketed: bracketed === null ? null : bracketed - doubled }
}
