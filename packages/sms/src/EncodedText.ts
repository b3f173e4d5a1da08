/**
 * Encodes a text for the air interface and splits it into the parts of a concatenated message.
 *
 * Source: 3GPP TS 23.038 (alphabets), 3GPP TS 23.040 §9.2.3.24.1 (concatenation with an 8-bit reference).
 */
import { ESCAPE, septets } from "./internal/Gsm7.ts"

export { textOf as textOfSeptets } from "./internal/Gsm7.ts"

/**
 * `gsm7`: one septet per octet, not packed, two for the extension table; `ucs2`: UTF-16, big-endian.
 * Parts have no user data header; a concatenated message has several.
 */
export interface EncodedText {
  readonly encoding: "gsm7" | "ucs2"
  readonly parts: ReadonlyArray<Uint8Array>
  /** The text before it was encoded, for carriers that encode and split it themselves. */
  readonly source: string
}

// Octets of user data in the form above. A user data header takes 6 octets of the 140 in a message.
const GSM7_SINGLE = 160
const GSM7_PART = 153
const UCS2_SINGLE = 2 * 70
const UCS2_PART = 2 * 67

/**
 * Encodes a text in as few parts as possible: GSM 7-bit when every character is in that alphabet, else UCS-2.
 * Neither an extension character nor a surrogate pair is ever split between two parts.
 *
 * @example
 * ```ts
 * import * as EncodedText from "@watchword/sms/EncodedText"
 *
 * EncodedText.encode("Your code is 123456").parts.length // 1
 * EncodedText.encode("a".repeat(161)).parts.length // 2
 * EncodedText.encode("Код 123456").encoding // "ucs2"
 * ```
 */
export const encode = (text: string): EncodedText => {
  const gsm7 = septets(text)
  if (gsm7 !== undefined) {
    const parts = gsm7.length <= GSM7_SINGLE ? [gsm7] : split(gsm7, GSM7_PART, endsInEscape)
    return { encoding: "gsm7", parts, source: text }
  }
  const ucs2 = bigEndian(text)
  const parts = ucs2.length <= UCS2_SINGLE ? [ucs2] : split(ucs2, UCS2_PART, endsInHighSurrogate)
  return { encoding: "ucs2", parts, source: text }
}

const bigEndian = (text: string): Uint8Array => {
  const octets = new Uint8Array(2 * text.length)
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    octets[2 * index] = unit >> 8
    octets[2 * index + 1] = unit & 0xff
  }
  return octets
}

// Greedy filling gives the fewest parts: an indivisible character has two units, and moves to the next part whole.
const split = (
  octets: Uint8Array,
  size: number,
  overhang: (octets: Uint8Array, end: number) => number
): ReadonlyArray<Uint8Array> => {
  const parts: Array<Uint8Array> = []
  let start = 0
  while (octets.length - start > size) {
    const end = start + size - overhang(octets, start + size)
    parts.push(octets.subarray(start, end))
    start = end
  }
  parts.push(octets.subarray(start))
  return parts
}

const endsInEscape = (octets: Uint8Array, end: number): number => (octets[end - 1] === ESCAPE ? 1 : 0)

const endsInHighSurrogate = (octets: Uint8Array, end: number): number =>
  isHigh(octets[end - 2]) && isLow(octets[end]) ? 2 : 0

const isHigh = (octet: number | undefined): boolean => octet !== undefined && octet >> 2 === 0xd8 >> 2
const isLow = (octet: number | undefined): boolean => octet !== undefined && octet >> 2 === 0xdc >> 2
