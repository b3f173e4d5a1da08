import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { FINE_WIDTH, WIDTH, bucketOf, firstOf, lastOf, segments } from "@watchword/store/sql"

const time = fc.integer({ min: -20 * WIDTH, max: 20 * WIDTH })

describe("a bucket", () => {
  it("has every time between its first and its last", () => {
    fc.assert(
      fc.property(time, fc.constantFrom(WIDTH, FINE_WIDTH), (at, width) => {
        const bucket = bucketOf(at, width)
        expect(firstOf(bucket, width)).toBeLessThanOrEqual(at)
        expect(lastOf(bucket, width)).toBeGreaterThanOrEqual(at)
        expect(bucketOf(firstOf(bucket, width), width)).toBe(bucket)
        expect(bucketOf(lastOf(bucket, width), width)).toBe(bucket)
      })
    )
  })

  it("of eight minutes lies in one of eight hours", () => {
    expect(Number.isInteger(WIDTH / FINE_WIDTH)).toBe(true)
  })
})

describe("the segments of a time", () => {
  it("are none where it ends before it begins", () => {
    expect(segments(1, 0)).toEqual([])
  })

  it("cover it without gaps, from its first to its last millisecond", () => {
    fc.assert(
      fc.property(time, time, (first, last) => {
        fc.pre(first <= last)
        const found = segments(first, last)
        const covered = found.map(({ first, last, width }) => [firstOf(first, width), lastOf(last, width)] as const)
        expect(covered[0]?.[0]).toBe(first)
        expect(covered.at(-1)?.[1]).toBe(last)
        for (const [index, [from, to]] of covered.entries()) {
          expect(from).toBeLessThanOrEqual(to)
          if (index > 0) expect(from).toBe((covered[index - 1]?.[1] ?? 0) + 1)
        }
      })
    )
  })

  it("leave less than a bucket of eight minutes at each end to single records", () => {
    fc.assert(
      fc.property(time, time, (first, last) => {
        const found = segments(first, last)
        expect(found.length).toBeLessThanOrEqual(5)
        for (const { first, last, width } of found) {
          if (width === 1) expect(last - first).toBeLessThan(2 * FINE_WIDTH - 2)
          if (width === FINE_WIDTH) expect(last - first).toBeLessThan((2 * WIDTH) / FINE_WIDTH)
        }
      })
    )
  })
})
