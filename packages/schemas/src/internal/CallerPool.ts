/**
 * Pools of callers: numbers and ranges of numbers that flash calls come from, where the last digits of the caller are the
 * code.
 *
 * The odds of a guess depend on the pool alone: an attacker who knows it guesses one of its endings. So a pool of few
 * endings is a weak code, however long it is.
 */
import * as Schema from "effect/Schema"
import { boundsOf } from "./callerRange.ts"
import { E164 } from "../PhoneNumber.ts"

/** Numbers by their digits, both ends included. */
interface Range {
  readonly first: number
  readonly last: number
}

/** A pool, in which each number is once. */
export interface CallerPool {
  readonly ranges: ReadonlyArray<Range>
  /** How many numbers there are. */
  readonly size: number
}

/** With fewer endings than this, calls verify only where an account says so. */
export const FEWEST_ENDINGS = 1_000

/**
 * The pool of numbers and ranges, which are written as `CallerRange` of `@watchword/schemas/internal/Originators` has them.
 *
 * @example
 * ```ts
 * import * as CallerPool from "@watchword/schemas/internal/CallerPool"
 *
 * const pool = CallerPool.make(["+4930901820000-+4930901821999", "+4930555555"])
 * pool.size // 2001
 * CallerPool.endings(pool, 4) // 2000: +4930555555 ends like one of the others
 * CallerPool.draw(pool, Math.random())
 * ```
 */
export const make = (entries: ReadonlyArray<string>): CallerPool => poolOf(entries.map(rangeOf))

const rangeOf = (entry: string): Range => {
  const [first, last] = boundsOf(entry)
  return { first: digits(first), last: digits(last) }
}

const digits = (number: string): number => Number(number.slice(1))

const sizeOf = ({ first, last }: Range): number => last - first + 1

/** Ranges in order, those that touch or overlap as one: no number is drawn more often than another. */
const poolOf = (given: ReadonlyArray<Range>): CallerPool => {
  const ranges: Array<Range> = []
  for (const range of given.toSorted((one, other) => one.first - other.first)) {
    const before = ranges.at(-1)
    if (before === undefined || range.first > before.last + 1) ranges.push(range)
    else if (range.last > before.last) ranges[ranges.length - 1] = { first: before.first, last: range.last }
  }
  return { ranges, size: ranges.reduce((sum, range) => sum + sizeOf(range), 0) }
}

/** The numbers that are in both pools. */
export const common = (one: CallerPool, other: CallerPool): CallerPool =>
  poolOf(
    one.ranges.flatMap((a) =>
      other.ranges
        .map((b) => ({ first: Math.max(a.first, b.first), last: Math.min(a.last, b.last) }))
        .filter(({ first, last }) => first <= last)
    )
  )

/**
 * A number of a pool; null where there is none.
 *
 * @param random evenly from 0 up to 1, less than 1
 */
export const draw = ({ ranges, size }: CallerPool, random: number): E164 | null => {
  let place = Math.floor(random * size)
  for (const range of ranges) {
    if (place < sizeOf(range)) return numberOf(range.first + place)
    place -= sizeOf(range)
  }
  return null
}

const isE164 = Schema.is(E164)

// The ends of a range are phone numbers. What is between them is none only in a range across calling codes.
const numberOf = (digits: number): E164 | null => {
  const number = `+${digits}`
  return isE164(number) ? number : null
}

/** Whether a number is in a pool. */
export const has = ({ ranges }: CallerPool, number: string): boolean => {
  const place = digits(number)
  return ranges.some(({ first, last }) => first <= place && place <= last)
}

/** How many different last digits the numbers of a pool have. */
export const endings = ({ ranges }: CallerPool, length: number): number => {
  const all = 10 ** length
  // A range's endings are one stretch of a circle, or all of it; stretches may overlap.
  const stretches: Array<readonly [from: number, to: number]> = []
  for (const range of ranges) {
    const from = range.first % all
    const to = from + sizeOf(range)
    if (sizeOf(range) >= all) return all
    if (to <= all) stretches.push([from, to])
    else stretches.push([from, all], [0, to - all])
  }
  let count = 0
  let end = 0
  for (const [from, to] of stretches.toSorted(([a], [b]) => a - b)) {
    count += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return count
}
