import { delay } from "../../src/internal/smpp/Backoff.ts"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const random = FastCheck.double({ min: 0, max: 1, noNaN: true })
const attempt = FastCheck.nat({ max: 10_000 })

describe("the wait before a link is tried again", () => {
  it("is 0.5 to 30 seconds after a loss and 5 to 60 after a refusal", () => {
    FastCheck.assert(
      FastCheck.property(attempt, random, (attempt, random) => {
        expect(delay("lost", attempt, random)).toBeGreaterThanOrEqual(500)
        expect(delay("lost", attempt, random)).toBeLessThanOrEqual(30_000)
        expect(delay("refused", attempt, random)).toBeGreaterThanOrEqual(5000)
        expect(delay("refused", attempt, random)).toBeLessThanOrEqual(60_000)
      })
    )
  })

  it("is 5 ± 2 seconds, again and again, while the carrier holds a session that was lost", () => {
    FastCheck.assert(
      FastCheck.property(attempt, random, (attempt, random) => {
        expect(delay("held", attempt, random)).toBeGreaterThanOrEqual(3000)
        expect(delay("held", attempt, random)).toBeLessThanOrEqual(7000)
      })
    )
    expect([delay("held", 9, 0), delay("held", 0, 1)]).toEqual([3000, 7000])
  })

  it("grows with each failure up to its limit, and differs from client to client", () => {
    const waits = [0, 1, 2, 3, 4, 5, 6].map((attempt) => delay("lost", attempt, 1))
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    expect(delay("lost", 0, 0)).toBe(500)
    expect(delay("lost", 9, 0)).toBe(15_000)
    expect([0, 1, 2, 3, 4].map((attempt) => delay("refused", attempt, 1))).toEqual([
      10_000, 20_000, 40_000, 60_000, 60_000
    ])
  })
})
