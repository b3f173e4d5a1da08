/**
 * CRC-32 of ASCII text, as in gzip and zip.
 *
 * Source: ISO 3309; RFC 1952 §8.
 */

const REVERSED_POLYNOMIAL = 0xed_b8_83_20

/** The checksum as an unsigned number of 32 bits. */
export const crc32 = (ascii: string): number => {
  let rest = 0xff_ff_ff_ff
  for (let index = 0; index < ascii.length; index++) {
    rest ^= ascii.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? REVERSED_POLYNOMIAL : 0)
  }
  return ~rest >>> 0
}
