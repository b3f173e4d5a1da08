/**
 * Which of several blocks may have a value, where there are too many values to tally: 256 slots by the value's hash,
 * each with a number for every block that a value of the slot lies in. Hashes may collide, so a trace only says
 * where to look.
 */
import type { Scalar } from "@watchword/pagination/Query"
import { aligned } from "./Column.ts"

export const SLOTS = 256

/** The most blocks that a trace can tell apart. */
const ROOM = 64

/** The slots of so many blocks, each with its different values. */
export const ofBlocks = (blocks: ReadonlyArray<ReadonlyArray<Scalar>>): ReadonlyArray<Uint8Array> => {
  const slots = Array.from({ length: SLOTS }, (): Array<number> => [])
  for (const [block, values] of blocks.entries()) {
    for (const value of values) {
      const hash = hashOf(value)
      slots[slotIn(hash)]?.push(markOf(hash) + block)
    }
  }
  return slots.map((marks) => new Uint8Array(Uint32Array.from(marks).buffer))
}

export const slotOf = (value: Scalar): number => slotIn(hashOf(value))

/** The blocks, counted from the first of the trace, that may have a value of this slot. */
export const blocksIn = (slot: Uint8Array, value: Scalar): ReadonlySet<number> => {
  const marks = new Uint32Array(aligned(slot))
  const wanted = markOf(hashOf(value))
  const blocks = new Set<number>()
  for (const mark of marks) if (mark >= wanted && mark < wanted + ROOM) blocks.add(mark - wanted)
  return blocks
}

const slotIn = (hash: number): number => hash >>> 24

/** The rest of a hash, with room for the number of a block. */
const markOf = (hash: number): number => (hash & 0xffffff) * ROOM

/** FNV-1a with the last step of Murmur 3, so that all bits depend on all. In databases: it never changes. */
const hashOf = (value: Scalar): number => {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
