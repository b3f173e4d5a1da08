/** The random choices of a day. Its program prints the seed, and `SEED=…` draws the same again. */
import { drawsOf, seedOf } from "../draws.ts"

export const seed = seedOf()

export const { below, next } = drawsOf(seed)
