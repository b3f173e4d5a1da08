import { DISABLED_AFTER, isDisabled, next, nextByAge } from "../src/internal/RetrySchedule.ts"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const delays = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR]
const DAY = 24 * HOUR

const attempts = fc.record({ count: fc.integer({ min: 1, max: 20 }), age: fc.nat(2 * DAY), createdAt: fc.nat(1e12) })

describe("the retry schedule", () => {
  it("waits 5 s, 1 min, 5 min, 30 min, 2 h, 5 h and 10 h, and then ends", () => {
    let now = 1_000
    delays.forEach((delay, index) => {
      expect(next({ count: index + 1, createdAt: 1_000, now })).toBe(now + delay)
      now += delay
    })
    expect(next({ count: 8, createdAt: 1_000, now })).toBeNull()
  })

  it("never tries again later than a day after the event", () => {
    fc.assert(
      fc.property(attempts, ({ age, count, createdAt }) => {
        const now = createdAt + age
        const delay = delays[count - 1]
        const at = next({ count, createdAt, now })
        expect(at).toBe(delay === undefined || age + delay > DAY ? null : now + delay)
      })
    )
  })

  it("has the same times by age, whatever was tried before", () => {
    const times = delays.map((_, index) => delays.slice(0, index + 1).reduce((sum, delay) => sum + delay, 0))
    fc.assert(
      fc.property(attempts, ({ age, createdAt }) => {
        const at = nextByAge({ createdAt, now: createdAt + age })
        expect(at).toBe(createdAt + (times.find((time) => time > age) ?? Number.NaN) || null)
      })
    )
  })

  it("disables after five days of failure", () => {
    expect(DISABLED_AFTER).toBe(5 * DAY)
    fc.assert(fc.property(fc.nat(10 * DAY), (age) => isDisabled(7, 7 + age) === age >= 5 * DAY))
  })
})
