/**
 * Random choices by a seed, for programs and tests.
 */
import { randomInt } from "node:crypto"

export interface Draws {
  /** A number from 0, below 1. */
  readonly next: () => number
  /** A whole number from 0, below a bound. */
  readonly below: (bound: number) => number
}

/** The seed that `SEED` names, or a fresh one. */
export const seedOf = (named = process.env["SEED"]): number =>
  named === undefined ? randomInt(2 ** 31) : Number(named)

/** Evenly distributed, and the same for a seed (mulberry32). */
export const drawsOf = (seed: number): Draws => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, below: (bound) => Math.floor(next() * bound) }
}
