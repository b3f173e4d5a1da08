/**
 * Texts as submit_sm carries them: GSM 7-bit or UCS-2, split where they are too long.
 */
const ALPHABET =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
const EXTENSION = { "\f": 10, "^": 20, "{": 40, "}": 41, "\\": 47, "[": 60, "~": 61, "]": 62, "|": 64, "€": 101 }
const ESCAPE = 27

const gsm = new Map<string, ReadonlyArray<number>>()
for (const [index, character] of [...ALPHABET].entries()) if (index !== ESCAPE) gsm.set(character, [index])
for (const [character, code] of Object.entries(EXTENSION)) gsm.set(character, [ESCAPE, code])

export interface Encoded {
  readonly dataCoding: 0 | 8
  /** Each with its user data header when there are several. */
  readonly parts: ReadonlyArray<Buffer>
}

export const encode = (text: string, reference: number): Encoded => {
  const septets: Array<number> = []
  for (const character of text) {
    const codes = gsm.get(character)
    if (codes === undefined) return { dataCoding: 8, parts: split(Buffer.from(text, "utf16le").swap16(), 8, reference) }
    septets.push(...codes)
  }
  return { dataCoding: 0, parts: split(Buffer.from(septets), 0, reference) }
}

const split = (octets: Buffer, dataCoding: 0 | 8, reference: number): ReadonlyArray<Buffer> => {
  const [single, size] = dataCoding === 0 ? [160, 153] : [140, 134]
  if (octets.length <= single) return [octets]
  const pieces: Array<Buffer> = []
  for (let start = 0; start < octets.length;) {
    let end = Math.min(start + size, octets.length)
    if (end < octets.length && dataCoding === 0 && octets[end - 1] === ESCAPE) end -= 1
    if (end < octets.length && dataCoding === 8 && ((octets[end - 2] ?? 0) & 0xfc) === 0xd8) end -= 2
    pieces.push(octets.subarray(start, end))
    start = end
  }
  return pieces.map((piece, index) =>
    Buffer.concat([Buffer.from([5, 0, 3, reference & 255, pieces.length, index + 1]), piece])
  )
}
