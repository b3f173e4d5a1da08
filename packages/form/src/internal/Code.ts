/**
 * Codes as people type and paste them.
 */

/** The digits of a text as 0 to 9, and whether the text has letters, which no code contains. */
export interface Entered {
  readonly code: string
  readonly hasLetters: boolean
}

/**
 * The code that a text has. Blanks and hyphens are left out, digits of any script are read; of a whole message it is
 * the group of as many digits as the code has.
 *
 * @param length the length of the code
 *
 * @example
 * ```ts
 * import { readCode } from "@watchword/form"
 *
 * console.log(readCode("٤٨٢ ٩١٣", 6).code) // 482913
 * console.log(readCode("Your code is 482913. Valid for 10 minutes.", 6).code) // 482913
 * ```
 */
export const readCode = (text: string, length: number): Entered => {
  const plain = asciiDigits(text)
  const group = new RegExp(`(?<![0-9])[0-9](?:[ \\p{Pd}\\u00a0]?[0-9]){${length - 1}}(?![0-9])`, "u").exec(plain)
  const rest = /\p{L}/u.test(plain)
  return {
    code: (group?.[0] ?? plain).replaceAll(/[^0-9]/g, "").slice(0, length),
    hasLetters: rest && group === null
  }
}

/** A text whose decimal digits are 0 to 9, whatever script they were typed in. */
export const asciiDigits = (text: string): string => text.replaceAll(/(?![0-9])\p{Nd}/gu, valueOf)

/** Unicode has the digits of a script in runs from 0 to 9. */
const valueOf = (digit: string): string => {
  const point = digit.codePointAt(0) ?? 0
  let first = point
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--
  return String((point - first) % 10)
}
