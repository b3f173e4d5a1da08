/**
 * How much is summarised together, and when. What has been written with one `fan` cannot be read with another.
 */
export interface Shape {
  /** Records in a block. */
  readonly rows: number
  /** How many nodes make one of the next level; 64 at most. */
  readonly fan: number
  /** More different values than these are many: in a block, and in several together. */
  readonly few: { readonly inBlock: number; readonly inAll: number }
  /** When there are more spans than `most`, neighbours are joined until hardly more than `joined` are left. */
  readonly spans: { readonly most: number; readonly joined: number }
  /** When more records than `most` are not sealed, they are sealed until hardly more than `fewest` are left. */
  readonly most: number
  readonly fewest: number
  /** Records are sealed when they have been listed for so long, in milliseconds: younger ones still change. */
  readonly settled: number
  /** When more changes than these wait beside the blocks, blocks are built anew until a quarter of them is left. */
  readonly changes: number
}

/** As many as `most` records are looked through in a few milliseconds. */
export const SHAPE: Shape = {
  rows: 1024,
  fan: 64,
  few: { inBlock: 64, inAll: 1024 },
  spans: { most: 4096, joined: 1024 },
  most: 10_000,
  fewest: 4_000,
  settled: 2 * 60 * 1000,
  changes: 1_000
}
