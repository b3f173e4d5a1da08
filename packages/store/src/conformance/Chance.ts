/**
 * Chance that repeats itself: the same seed gives the same choices, on every machine.
 */
export interface Chance {
  /** A whole number from 0 to `below`, which it is not. */
  readonly below: (below: number) => number
  readonly oneOf: <A>(choices: readonly [A, ...ReadonlyArray<A>]) => A
  /** Each of the choices or not. */
  readonly some: <A>(choices: ReadonlyArray<A>) => Array<A>
}

/** Mulberry32, a generator of 32 bits by Tommy Ettinger. */
export const make = (seed: number): Chance => {
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
