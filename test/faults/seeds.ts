/**
 * Choices that a seed determines, for each name its own: what becomes of a number does not depend on who asks first.
 */
import { type SeededRandom, seededRandom } from "@watchword/store/checks"

/** The choices of a name under a seed. */
export const randomOf = (seed: number, name: string): SeededRandom => {
  let hash = seed | 0
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x5bd1e995)
  return seededRandom(hash ^ (hash >>> 15))
}

/** A choice by weights, which need not sum to anything. */
export const weighed = <A>(random: SeededRandom, weights: ReadonlyArray<readonly [number, A]>): A => {
  let left = random.below(weights.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, value] of weights) {
    if (left < weight) return value
    left -= weight
  }
  throw new Error("there is nothing to choose from")
}
