/**
 * Room for the octets of texts, cut from one block after the other. An array of its own that is longer than 64 octets
 * lies outside of the heap, and costs more than all that is written into it.
 */
const BLOCK = 8192
/** Longer texts are few, and would leave much of a block behind. */
const LONG = BLOCK / 8

let block = new Uint8Array(BLOCK)
let taken = 0

/** So many octets, each of them zero. */
export const zeros = (length: number): Uint8Array => {
  if (length > LONG) return new Uint8Array(length)
  if (taken + length > BLOCK) {
    block = new Uint8Array(BLOCK)
    taken = 0
  }
  taken += length
  return block.subarray(taken - length, taken)
}
