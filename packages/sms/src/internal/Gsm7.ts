/**
 * Encodes and decodes text in the GSM 7-bit default alphabet and its extension table.
 *
 * Source: 3GPP TS 23.038 §6.2.1 and §6.2.1.1.
 */

/** Precedes each septet of the extension table. */
export const ESCAPE = 0x1b

// By septet. 0x1B is the escape itself, and no character.
const ALPHABET =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"

const EXTENSION: ReadonlyArray<readonly [string, number]> = [
  ["\f", 0x0a],
  ["^", 0x14],
  ["{", 0x28],
  ["}", 0x29],
  ["\\", 0x2f],
  ["[", 0x3c],
  ["~", 0x3d],
  ["]", 0x3e],
  ["|", 0x40],
  ["€", 0x65]
]

const HIGHEST = "€".charCodeAt(0)
const NONE = -1

// By UTF-16 code unit; characters of the extension table have the escape in the upper byte.
const table = new Int16Array(HIGHEST + 1).fill(NONE)
for (let septet = 0; septet < ALPHABET.length; septet++) {
  if (septet !== ESCAPE) table[ALPHABET.charCodeAt(septet)] = septet
}
for (const [character, septet] of EXTENSION) table[character.charCodeAt(0)] = (ESCAPE << 8) | septet

/** Encodes a text as septets, one per octet; undefined when a character is not in the alphabet. */
export const septets = (text: string): Uint8Array | undefined => {
  const length = lengthOf(text)
  if (length === undefined) return undefined
  // Of the exact length: V8 keeps short arrays in its heap, and a view of a longer one costs as much as the loop.
  const septets = new Uint8Array(length)
  let at = 0
  for (let index = 0; index < text.length; index++) {
    const code = codeAt(text, index)
    if (code > 0xff) septets[at++] = ESCAPE
    septets[at++] = code & 0xff
  }
  return septets
}

const lengthOf = (text: string): number | undefined => {
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const code = codeAt(text, index)
    if (code === NONE) return undefined
    length += code > 0xff ? 2 : 1
  }
  return length
}

const codeAt = (text: string, index: number): number => table[text.charCodeAt(index)] ?? NONE

const extended = new Map(EXTENSION.map(([character, septet]) => [septet, character]))

/** Decodes septets, one per octet. A septet that the extension table lacks is read as the default alphabet has it. */
export const textOf = (septets: Uint8Array): string => {
  let text = ""
  for (let at = 0; at < septets.length; at++) {
    const septet = septets[at] ?? 0
    if (septet === ESCAPE && at + 1 < septets.length) {
      const next = septets[++at] ?? 0
      text += extended.get(next) ?? ALPHABET.charAt(next & 0x7f)
    } else {
      text += ALPHABET.charAt(septet & 0x7f)
    }
  }
  return text
}
