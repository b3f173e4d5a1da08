/**
 * The rules of counters, as pure functions: sums over a sliding window, kept in buckets.
 *
 * Time is cut into slices of a fixed width, and the amount counted in a slice is one bucket. A bucket counts until the
 * window of its last moment is over, so that each amount counts for the whole window, and for less than a slice longer.
 * Two bursts on both sides of a slice's edge are within one limit: there is no edge at which a limit begins again.
 *
 * A store keeps rows of key, `until` and amount, finds a key's rows that are not over, and adds to one of them.
 */

/** One counter of a request, and how much the request adds to it. */
export interface Counter {
  /** Opaque to the store: 1 to 64 visible ASCII characters. A counter with another window or slice has another key. */
  readonly key: string
  /** How long an amount counts, in milliseconds. */
  readonly window: number
  /** Width of the buckets in milliseconds, at most the window. */
  readonly slice: number
  /** A whole number of at least 0, for example of sends or of micro-euros. Zero looks, and adds nothing. */
  readonly amount: number
  /** The most that the counter may have with the amount; null for any. */
  readonly limit: number | null
  /**
   * Of a counter without a limit: looked up only if the last counter before it that was looked up and adds has more
   * than this with its amount; its tally may be empty otherwise. Always looked up unless given.
   */
  readonly above?: number
}

/** An amount in the bucket that it was added to. */
export interface Added extends Bucket {
  readonly key: string
}

/** A counter's amount before the request. */
export interface Tally {
  /** The sum of what counts. */
  readonly used: number
  /** The largest bucket. */
  readonly peak: number
  /**
   * Milliseconds until the amount is within the limit if nothing else is counted, 0 if it is now. For an amount that
   * is itself above the limit, milliseconds until the counter is empty.
   */
  readonly freeIn: number
}

export interface Counted {
  /** Returns `false` if a counter would have been above its limit. */
  readonly counted: boolean
  /** One for each counter of the request, in their order. */
  readonly tallies: ReadonlyArray<Tally>
  /** The added amounts, so that they can be removed: one for each counter with an amount, in their order. */
  readonly added: ReadonlyArray<Added>
}

/** A counter's amount in one slice. */
export interface Bucket {
  /**
   * The time from which it no longer counts, in milliseconds since the epoch; it distinguishes a key's buckets.
   */
  readonly until: number
  readonly amount: number
}

/** The `until` of the current bucket. */
export const untilOf = ({ slice, window }: Counter, now: number): number =>
  (Math.floor(now / slice) + 1) * slice + window

/** Whether a counter that has `used` would be above its limit with the amount. An amount of zero is never too much. */
export const isOver = ({ amount, limit }: Counter, used: number): boolean =>
  limit !== null && amount > 0 && used + amount > limit

const empty: Tally = { used: 0, peak: 0, freeIn: 0 }

/** @param buckets the buckets of the counter's key, in any order; buckets that are over are ignored */
export const tally = (counter: Counter, buckets: ReadonlyArray<Bucket>, now: number): Tally => {
  let used = 0
  let peak = 0
  for (const { amount, until } of buckets) {
    if (until <= now) continue
    used += amount
    peak = Math.max(peak, amount)
  }
  return { used, peak, freeIn: isOver(counter, used) ? freeIn(counter, used, buckets, now) : 0 }
}

const freeIn = (counter: Counter, used: number, buckets: ReadonlyArray<Bucket>, now: number): number => {
  let left = used
  let free = now
  for (const { amount, until } of buckets.toSorted((a, b) => a.until - b.until)) {
    if (until <= now) continue
    if (!isOver(counter, left)) break
    left -= amount
    free = until
  }
  return free - now
}

/**
 * The answer to a request.
 *
 * @param bucketsOf the buckets of a key, in any order
 */
export const counted = (
  counters: ReadonlyArray<Counter>,
  bucketsOf: (key: string) => ReadonlyArray<Bucket>,
  now: number
): Counted => {
  const tallies: Array<Tally> = []
  const added: Array<Added> = []
  let isWithin = true
  let last = 0
  for (const counter of counters) {
    const { above, amount, key, limit } = counter
    if (amount > 0) added.push({ key, until: untilOf(counter, now), amount })
    if (limit === null && above !== undefined && last <= above) {
      tallies.push(empty)
      continue
    }
    const before = tally(counter, bucketsOf(key), now)
    tallies.push(before)
    if (isOver(counter, before.used)) isWithin = false
    if (amount > 0) last = before.used + amount
  }
  return { counted: isWithin, tallies, added: isWithin ? added : [] }
}
