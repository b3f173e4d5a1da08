/**
 * Pseudo-random choices from a seed: the same seed gives the same choices on every machine.
 */
export interface SeededRandom {
  /** An integer from 0 to `limit` - 1. */
  readonly below: (limit: number) => number
  readonly oneOf: <A>(choices: readonly [A, ...ReadonlyArray<A>]) => A
  /** A random subset, in the given order. */
  readonly some: <A>(choices: ReadonlyArray<A>) => Array<A>
}

/** Mulberry32, a 32-bit generator by Tommy Ettinger. */
export const seededRandom = (seed: number): SeededRandom => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    oneOf: (choices) => choices[below(choices.length)] ?? choices[0],
    some: (choices) => choices.filter(() => below(2) === 0)
  }
}
