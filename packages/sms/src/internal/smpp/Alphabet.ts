/**
 * The alphabet that a carrier reads under data_coding 0, which the standard leaves to it.
 *
 * Texts are split by septets for every alphabet: the air interface and the price count septets. A text that the
 * carrier's alphabet lacks a character of goes in UCS-2, as long as it is one part there too.
 *
 * Source: SMPP 3.4 §5.2.19 (data_coding); 3GPP TS 23.038 §6.2.1; ISO/IEC 8859-1.
 */
import type { EncodedText } from "../../EncodedText.ts"
import { textOf } from "../Gsm7.ts"

export type Alphabet = "gsm" | "latin1" | "ascii"

/** One part as it goes onto the wire. */
export interface Coded {
  readonly dataCoding: number
  readonly octets: Uint8Array
}

const OF_THE_CARRIER = 0x00
const LATIN_1 = 0x03
const UCS_2 = 0x08

/** Characters of a text in UCS-2 of one part. */
const LONGEST_UCS_2 = 70

type Text = Pick<EncodedText, "encoding" | "parts">

/** The data_coding of a text; null if it would have more parts than it was priced for. */
export const dataCodingOf = ({ encoding, parts }: Text, alphabet: Alphabet): number | null => {
  if (encoding === "ucs2") return UCS_2
  if (alphabet === "gsm") return OF_THE_CARRIER
  const texts = parts.map(textOf)
  const highest = Math.max(0, ...texts.flatMap((text) => Array.from(text, (character) => character.charCodeAt(0))))
  if (highest < 0x80) return OF_THE_CARRIER
  if (highest < 0x100) return alphabet === "latin1" ? OF_THE_CARRIER : LATIN_1
  return texts.length === 1 && texts.every(({ length }) => length <= LONGEST_UCS_2) ? UCS_2 : null
}

/** A part in the alphabet of a carrier that can take its text. */
export const coded = (text: Text, part: number, alphabet: Alphabet): Coded => {
  const octets = text.parts[part] ?? new Uint8Array()
  const dataCoding = dataCodingOf(text, alphabet) ?? OF_THE_CARRIER
  if (text.encoding === "ucs2" || alphabet === "gsm") return { dataCoding, octets }
  const characters = textOf(octets)
  return { dataCoding, octets: dataCoding === UCS_2 ? bigEndian(characters) : Buffer.from(characters, "latin1") }
}

const bigEndian = (text: string): Buffer => Buffer.from(text, "utf16le").swap16()
