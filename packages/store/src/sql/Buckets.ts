/**
 * Buckets of time, by which a store counts its records.
 *
 * A store keeps one row for each status and each bucket of a partition that has records, and changes it in the step
 * that changes a record. Rows at two widths keep a list's page near: the wide ones add up to the total and lead to the
 * bucket that the page begins in, the narrow ones lead to the page in that bucket.
 */

/** Eight hours, in milliseconds: ten million records in a month are 100,000 to such a bucket. */
export const WIDTH = 8 * 60 * 60 * 1000

/**
 * Eight minutes, in milliseconds: 60 such buckets make a wide one. Reading the counts of those takes about as long as
 * walking through one of them, where ten million records are spread over a month.
 */
export const FINE_WIDTH = 8 * 60 * 1000

/** A week, in milliseconds, by which the records of a recipient are found: 21 wide buckets. */
export const WEEK = 21 * WIDTH

export const bucketOf = (at: number, width = WIDTH): number => Math.floor(at / width)

/** The first and the last millisecond of a bucket. */
export const firstOf = (bucket: number, width = WIDTH): number => bucket * width
export const lastOf = (bucket: number, width = WIDTH): number => firstOf(bucket + 1, width) - 1

/** Consecutive buckets of one width; at a width of 1 the records themselves, by the millisecond. */
export interface Segment {
  readonly width: number
  readonly first: number
  readonly last: number
}

/**
 * Cuts a time into whole buckets, as wide as possible, and the remainders at both ends: for the default widths at most
 * five segments, the outermost shorter than a narrow bucket. They follow each other in order of time.
 *
 * @param widths each a multiple of the next
 */
export const segments = (
  first: number,
  last: number,
  [width, ...finer]: ReadonlyArray<number> = [WIDTH, FINE_WIDTH]
): ReadonlyArray<Segment> => {
  if (first > last) return []
  if (width === undefined) return [{ width: 1, first, last }]
  const from = bucketOf(first + width - 1, width)
  const to = bucketOf(last + 1, width) - 1
  if (from > to) return segments(first, last, finer)
  return [
    ...segments(first, firstOf(from, width) - 1, finer),
    { width, first: from, last: to },
    ...segments(lastOf(to, width) + 1, last, finer)
  ]
}
