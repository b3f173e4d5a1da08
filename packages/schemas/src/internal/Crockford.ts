/**
 * Crockford's base 32, in which ULIDs are written, as tables: of character codes, because a text that is built from
 * codes at once leaves no garbage, while joining characters allocates a text for each.
 *
 * Source: https://www.crockford.com/base32.html.
 */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const codes = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0))

const values = new Uint8Array(128)
for (const [value, code] of codes.entries()) values[code] = value

/** The character code of a digit, 0 to 31. */
export const codeOf = (value: number): number => codes[value] ?? 0

/** The value of the digit at a place of a text. */
export const valueAt = (text: string, place: number): number => values[text.charCodeAt(place)] ?? 0
