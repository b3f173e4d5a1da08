/**
 * Hexadecimal digits that nobody can guess, for branches, tags and Call-IDs. They are drawn from the system by the
 * thousand, and each name is one short string.
 *
 * Source: RFC 3261 §8.1.1.4, §8.1.1.7, §19.3.
 */
import { randomFillSync } from "node:crypto"

const drawn = Buffer.alloc(4096)
let used = drawn.length

/** Two digits for each octet. */
export const hexadecimal = (octets: number): string => {
  if (used + octets > drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += octets
  return drawn.toString("hex", used - octets, used)
}
