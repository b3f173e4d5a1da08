/**
 * Finds the one-time code in a text such as `Your code is 123 456, valid for 10 minutes`.
 */

// 4 to 8 digits that are not part of a longer number, a date or an amount; or twice three or four digits with one mark
// in between.
const CODE = /(?<![\d+]|\d[.,:/-])(?:(?:\d{3}[ -]\d{3}|\d{4}[ -]\d{4})(?![ -]?\d)|\d{4,8})(?!\d|[.,:/-]\d)/g

const NAMED = /code|codice|código|kode|kod\b|otp|pin|passwor[dt]|passcode|token/i

/** Whether a text has one or more codes: 4 to 8 digits that are not part of a longer number, a date or an amount. */
export const hasCode = (text: string): boolean => text.search(CODE) >= 0

/**
 * The code of a text, digits only; null if there is no code, or if there are several without a hint which one is meant:
 * a wrong code is worse than no code. Of several codes it is the first after a word for "code".
 *
 * @example
 * ```ts
 * import { codeIn } from "@watchword/schemas/Sms"
 *
 * codeIn("Order 2024: your code is 123-456.") // "123456"
 * ```
 */
export const codeIn = (text: string): string | null => {
  const found = [...text.matchAll(CODE)].map((match) => ({ code: match[0].replace(/\D/g, ""), index: match.index }))
  const [first] = found
  if (first === undefined) return null
  if (found.every(({ code }) => code === first.code)) return first.code
  const named = text.search(NAMED)
  return named < 0 ? null : (found.find(({ index }) => index > named)?.code ?? null)
}
