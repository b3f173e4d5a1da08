import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type CallerPool, poolOfCallers, commonPool, drawCaller, endingsOf } from "@watchword/schemas/Originators"

const range = fc
  .tuple(fc.integer({ min: 4_930_901_000_000, max: 4_930_901_003_000 }), fc.nat(300))
  .map(([first, more]) => ({ first, last: first + more }))

const ranges = fc.array(range, { minLength: 1, maxLength: 5 })

type Ranges = ReadonlyArray<{ readonly first: number; readonly last: number }>

const pool = (entries: Ranges) => poolOfCallers(entries.map(({ first, last }) => `+${first}-+${last}`))

/** The numbers of ranges, one by one. */
const numbers = (entries: Ranges): ReadonlySet<number> =>
  new Set(entries.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, place) => first + place)))

/** The numbers of a pool, drawn in their order. */
const drawn = (from: CallerPool) =>
  Array.from({ length: from.size }, (_, place) => drawCaller(from, (place + 0.5) / from.size))

const written = (all: Iterable<number>) => [...all].toSorted((a, b) => a - b).map((digits) => `+${digits}`)

describe("a pool of callers", () => {
  it("has the numbers of its entries, each once", () => {
    const mixed = poolOfCallers(["+4930901820-+4930901824", "+4930901823-+4930901826", "+4930555555"])
    expect(drawn(mixed)).toEqual(["+4930555555", ...[0, 1, 2, 3, 4, 5, 6].map((digit) => `+493090182${digit}`)])
  })

  it("draws every number of its ranges, and no other", () => {
    fc.assert(
      fc.property(ranges, (entries) => {
        expect(drawn(pool(entries))).toEqual(written(numbers(entries)))
      }),
      { numRuns: 30 }
    )
  })

  it("has the numbers in common with another that both have", () => {
    fc.assert(
      fc.property(ranges, ranges, (one, other) => {
        const both = commonPool(pool(one), pool(other))
        expect(drawn(both)).toEqual(written([...numbers(one)].filter((number) => numbers(other).has(number))))
      }),
      { numRuns: 30 }
    )
  })

  it("draws none when it is empty", () => {
    expect(drawCaller(poolOfCallers([]), 0.5)).toBeNull()
  })

  it("counts different endings as counting one by one does", () => {
    fc.assert(
      fc.property(ranges, fc.integer({ min: 1, max: 4 }), (entries, length) => {
        const each = new Set([...numbers(entries)].map((number) => number % 10 ** length))
        expect(endingsOf(pool(entries), length)).toBe(each.size)
      })
    )
  })
})
