/**
 * Hexadecimal digits that nobody can guess, for branches, tags and Call-IDs. They are drawn from the system by the
 * thousand, and each name is one short string.
 *
 * Source: RFC 3261 §8.1.1.4, §8.1.1.7, §19.3.
 */
import { randomFillSync } from "node:crypto"

const octetsDrawn = Buffer.alloc(2048)
/** The same in digits, which need no more than to be copied. */
const digits = Buffer.alloc(2 * octetsDrawn.length)
let used = digits.length

/**
 * Two digits for each octet.
 *
 * @param prefix what stands before them
 */
export const hexadecimal = (octets: number, prefix = NONE): string => {
  const length = prefix.length + 2 * octets
  if (used + length > digits.length) {
    digits.write(randomFillSync(octetsDrawn).toString("hex"), "latin1")
    used = 0
  }
  // Over digits that are then nobody's: put together, the two would stay two strings.
  digits.set(prefix, used)
  used += length
  return digits.toString("latin1", used - length, used)
}

const NONE = new Uint8Array()
