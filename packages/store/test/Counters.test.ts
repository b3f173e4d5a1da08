import { type Bucket, type Counter, counted, isOver, tally, untilOf } from "@watchword/store/Counters"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { make } from "../src/internal/memory/Counters.ts"

const WINDOW = 1000
const SLICE = 50

const counter = (fields: Partial<Counter> = {}): Counter => ({
  key: "k",
  window: WINDOW,
  slice: SLICE,
  amount: 1,
  limit: 5,
  ...fields
})

const requests = fc.array(fc.record({ after: fc.nat(400), amount: fc.integer({ min: 0, max: 4 }) }), { maxLength: 60 })

describe("a counter", () => {
  it("never lets more through than its limit within any window", () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 1, max: 8 }), fc.nat(10_000), (all, limit, start) => {
        const counters = make()
        const through: Array<{ at: number; amount: number }> = []
        let now = start
        for (const { after, amount } of all) {
          now += after
          if (counters.count([counter({ amount, limit })], now).counted) through.push({ at: now, amount })
        }
        for (const { at } of through) {
          const within = through.filter((each) => each.at >= at && each.at < at + WINDOW)
          expect(within.reduce((sum, each) => sum + each.amount, 0)).toBeLessThanOrEqual(limit)
        }
      })
    )
  })

  it("refuses nothing that would be within the limit over its window and a slice", () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 4, max: 8 }), (all, limit) => {
        const counters = make()
        const through: Array<{ at: number; amount: number }> = []
        let now = 0
        for (const { after, amount } of all) {
          now += after
          const recent = through
            .filter(({ at }) => at > now - WINDOW - SLICE)
            .reduce((sum, each) => sum + each.amount, 0)
          const answer = counters.count([counter({ amount, limit })], now)
          if (recent + amount <= limit) expect(answer.counted).toBe(true)
          if (answer.counted) through.push({ at: now, amount })
        }
      })
    )
  })

  it("is free when it says so, and not a moment sooner", () => {
    const buckets = fc.array(
      fc.record({ until: fc.integer({ min: 1, max: 3000 }), amount: fc.integer({ min: 1, max: 9 }) })
    )
    fc.assert(
      fc.property(buckets, fc.integer({ min: 1, max: 9 }), fc.nat(2000), (rows, amount, now) => {
        const asked = counter({ amount, limit: 9 })
        const { freeIn, used } = tally(asked, rows, now)
        const usedAt = (at: number) => tally(asked, rows, at).used
        expect(isOver(asked, used)).toBe(freeIn > 0)
        expect(isOver(asked, usedAt(now + freeIn))).toBe(false)
        if (freeIn > 0) expect(isOver(asked, usedAt(now + freeIn - 1))).toBe(true)
      })
    )
  })

  it("of an amount above its limit is free when it is empty", () => {
    const row: Bucket = { until: 70, amount: 1 }
    expect(tally(counter({ amount: 6 }), [row, { until: 90, amount: 1 }], 0).freeIn).toBe(90)
  })

  it("counts each amount for its window at least, and for less than a slice longer", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: WINDOW }), (now, slice) => {
        const until = untilOf(counter({ slice }), now)
        expect(until).toBeGreaterThan(now + WINDOW)
        expect(until).toBeLessThanOrEqual(now + WINDOW + slice)
      })
    )
  })
})

describe("counters of one request", () => {
  it("are counted all or none", () => {
    const full = counter({ key: "full", limit: 0 })
    const counters = make()
    expect(counters.count([counter({ key: "a" }), full], 0).counted).toBe(false)
    expect(counters.count([counter({ key: "a", amount: 0 })], 0).tallies).toEqual([{ used: 0, peak: 0, freeIn: 0 }])
    expect(counted([counter({ key: "a" }), counter({ key: "b" })], () => [], 0).counted).toBe(true)
  })

  it("are swept when they count no more", () => {
    const counters = make()
    counters.count([counter()], 0)
    counters.sweep(WINDOW)
    expect(counters.count([counter({ amount: 0 })], WINDOW).tallies[0]?.used).toBe(1)
    counters.sweep(WINDOW + SLICE)
    expect(counters.count([counter({ amount: 0 })], WINDOW).tallies[0]?.used).toBe(0)
  })
})
