/**
 * Decimal digits of all scripts.
 *
 * Source: Unicode, chapter 4.6 (digits have the general category Nd, in runs from 0 to 9).
 */

/** A text whose decimal digits are 0 to 9, whatever script they were typed in. */
export const asciiDigits = (text: string): string => text.replace(OTHERS, valueOf)

const OTHERS = /(?![0-9])\p{Nd}/gu
const DIGIT = /\p{Nd}/u

/** Scripts that touch, such as the digits of mathematics, follow each other in whole runs. */
const valueOf = (digit: string): string => {
  const point = digit.codePointAt(0) ?? 0
  let first = point
  while (DIGIT.test(String.fromCodePoint(first - 1))) first--
  return String((point - first) % 10)
}
