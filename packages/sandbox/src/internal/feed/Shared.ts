/**
 * A bounded number of places that owners share: where all are taken, the oldest of the owner that has the most gives
 * way to one of an owner that has at least two fewer. So a few owners cannot take all, and two never push each other
 * out in turn.
 */

export interface Shared<in Owner> {
  /** Whether one more of an owner has a place, or another one's gives way. */
  readonly hasRoom: (owner: Owner) => boolean
  /**
   * Takes a place; null if all are taken.
   *
   * @param giveWay called when the place is needed; it must leave
   * @returns leaves the place
   */
  readonly enter: (owner: Owner, giveWay: () => void) => (() => void) | null
}

/** @param most how many places there are */
export const make = <Owner>(most: number): Shared<Owner> => {
  const taken = new Map<Owner, Set<() => void>>()
  let count = 0

  const sizeOf = (owner: Owner): number => taken.get(owner)?.size ?? 0

  /** The oldest place of the owner that has the most; null if that one has hardly more than this owner. */
  const toGiveWay = (owner: Owner): (() => void) | null => {
    const largest = [...taken.values()].reduce<ReadonlySet<() => void>>(
      (one, other) => (other.size > one.size ? other : one),
      new Set()
    )
    const [oldest = null] = largest
    return largest.size >= sizeOf(owner) + 2 ? oldest : null
  }

  return {
    hasRoom: (owner) => count < most || toGiveWay(owner) !== null,
    enter: (owner, giveWay) => {
      if (count >= most) {
        const oldest = toGiveWay(owner)
        if (oldest === null) return null
        oldest()
      }
      const own = taken.get(owner) ?? new Set()
      taken.set(owner, own.add(giveWay))
      count++
      return () => {
        if (!own.delete(giveWay)) return
        count--
        if (own.size === 0 && taken.get(owner) === own) taken.delete(owner)
      }
    }
  }
}
