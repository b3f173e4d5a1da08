/**
 * Tokens that users send back: 100 bits of an HMAC of the verification and the form, in Crockford's base 32, and a
 * check character. No database holds a token: a record is found by a digest.
 *
 * People and programs change a text on its way: they lower its case, put blanks and hyphens into it, and read O for 0
 * and I or L for 1. The check character tells a token from other words before anything is looked up.
 *
 * Source: https://www.crockford.com/base32.html for the alphabet and for letters that stand for digits.
 */
import { sha256 } from "@watchword/schemas/Sha256"
import type { ReceiveForm } from "@watchword/schemas/Verification"

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const DIGITS = 20

/** Characters of a token with its check character. */
export const LENGTH = DIGITS + 1

/** How much of a text is searched, and for how many tokens. */
const LONGEST = 2_000
const MOST = 4

/** @param mac in hexadecimal, of at least 100 bits */
export const tokenOf = (mac: string): string => {
  const digits = Array.from({ length: DIGITS }, (_, place) => ALPHABET[bitsAt(mac, place * 5)]).join("")
  return digits + checkOf(digits)
}

/** Five bits of a number in hexadecimal. */
const bitsAt = (mac: string, bit: number): number => {
  const nibble = bit >> 2
  const word = Number.parseInt(mac.slice(nibble, nibble + 3), 16)
  return (word >> (12 - 5 - (bit & 3))) & 31
}

/**
 * The check character: a sum whose weights are odd, so that any single wrong character changes it, and differ, so that
 * most exchanges of two do.
 */
const checkOf = (digits: string): string => {
  let sum = 0
  for (let place = 0; place < digits.length; place++) sum += ALPHABET.indexOf(digits.charAt(place)) * (2 * place + 1)
  return ALPHABET.charAt(sum & 31)
}

const isToken = (text: string): boolean => text.endsWith(checkOf(text.slice(0, DIGITS)))

/**
 * The tokens of a text, each once, at most {@link MOST}. A token in one piece is believed before pieces that make one:
 * of ordinary words in a row each 32nd has the right check character.
 */
export const find = (text: string): ReadonlyArray<string> => {
  const words = wordsOf(text.slice(0, LONGEST))
  const whole = words.map(read).filter((word) => word.length === LENGTH && isToken(word))
  return [...new Set(whole.length > 0 ? whole : joined(words))].slice(0, MOST)
}

/** Whether a text has a token in one piece: only such a text is a guess, because other words may happen to make one. */
export const isGuess = (text: string): boolean =>
  wordsOf(text.slice(0, LONGEST)).some((word) => word.length === LENGTH && isToken(read(word)))

/** The tokens that pieces in a row make, of which one at least has a digit: few tokens are without. */
const joined = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.flatMap((_, first) => {
    let pieces = ""
    for (let next = first; pieces.length < LENGTH && next < words.length; next++) pieces += words[next]
    const token = read(pieces)
    return token.length === LENGTH && /[0-9]/.test(pieces) && isToken(token) ? [token] : []
  })

/** The words of a text; full-width and lower-case letters become plain capitals. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .normalize("NFKC")
    .toUpperCase()
    .split(/[^0-9A-Z]+/)
    .filter((word) => word !== "")

/** A word in the letters of tokens. */
const read = (word: string): string => word.replaceAll("O", "0").replaceAll(/[IL]/g, "1")

/** The ref under which the verification of a token is found. */
export const refOf = (by: ReceiveForm, token: string): string => `token ${by} ${sha256(token).slice(0, 40)}`
