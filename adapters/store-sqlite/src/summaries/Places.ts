/**
 * Where summaries lie. Blocks are numbered within their drawer, from the oldest on; `fan` of them are a node of
 * level 1, `fan` of those a node of level 2.
 */

export const TOP = 2

/** Nodes of a level, half-open. */
export interface Range {
  readonly level: number
  readonly from: number
  readonly to: number
}

/** A place is the drawer, and in the lower 36 bits this. */
export const within = (field: number, level: number, node: number): number => field * 2 ** 30 + level * 2 ** 28 + node

/** The same for a slot of a trace, which only nodes of level 1 have. */
export const slotWithin = (field: number, node: number, slot: number): number => field * 2 ** 30 + node * 2 ** 8 + slot

/** The nodes that so many blocks make, each block in one of them: the largest first, in the order of the blocks. */
export const rootsOf = (blocks: number, fan: number): ReadonlyArray<Range> => {
  const ranges: Array<Range> = []
  let covered = 0
  for (let level = TOP; level >= 0; level--) {
    const size = fan ** level
    const to = Math.floor(blocks / size)
    ranges.push({ level, from: covered / size, to })
    covered = to * size
  }
  return ranges
}

/** The nodes that a node is made of. */
export const childrenOf = (level: number, node: number, fan: number): Range => ({
  level: level - 1,
  from: node * fan,
  to: (node + 1) * fan
})
