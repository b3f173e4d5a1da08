import { RateLimiter } from "@watchword/send/internal/gateway/RateLimiter"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

/** Takes turns as fast as the limiter allows from one time to another, and answers their times. */
const sendUntil = (limiter: RateLimiter, from: number, to: number): ReadonlyArray<number> => {
  const times: Array<number> = []
  let now = from
  while (times.length < 1_000_000) {
    now = Math.max(now, limiter.availableAt(now))
    if (now >= to) break
    // A timer of whole milliseconds, as the gateway's is.
    now = Math.ceil(now)
    limiter.take(now)
    times.push(now)
  }
  return times
}

const within = (times: ReadonlyArray<number>, from: number, to: number) =>
  times.filter((time) => time >= from && time < to).length

describe("a rate limiter", () => {
  it("without a rate holds nothing back", () => {
    const limiter = new RateLimiter(null)
    for (let index = 0; index < 10_000; index++) limiter.take(0)
    expect(limiter.availableAt(0)).toBeLessThanOrEqual(0)
  })

  it("reaches its rate and keeps to it in every second", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 1, max: 500 }), FastCheck.nat({ max: 3000 }), (rate, offset) => {
        const times = sendUntil(new RateLimiter(rate), 0, 5000)
        const most = rate + 1 + Math.ceil(rate / 50)
        expect(within(times, offset, offset + 1000)).toBeLessThanOrEqual(most)
        expect(within(times, 1000, 5000)).toBeGreaterThanOrEqual(4 * rate - 1)
      }),
      { numRuns: 50 }
    )
  })

  it("pauses when it is throttled, goes on at half the rate and recovers", () => {
    const limiter = new RateLimiter(100)
    sendUntil(limiter, 0, 2000)
    expect(limiter.throttled(2000)).toBe(true)
    expect(limiter.availableAt(2000)).toBe(3000)
    const after = sendUntil(limiter, 2000, 30_000)
    expect(after[0]).toBe(3000)
    expect(within(after, 3000, 4000)).toBeLessThanOrEqual(53)
    expect(within(after, 29_000, 30_000)).toBeGreaterThanOrEqual(99)
  })

  it("takes many refusals at once for one", () => {
    const limiter = new RateLimiter(100)
    expect([limiter.throttled(0), limiter.throttled(0), limiter.throttled(500)]).toEqual([true, false, false])
    expect(within(sendUntil(limiter, 1000, 2000), 1000, 2000)).toBeGreaterThanOrEqual(49)
  })

  it("without a rate halves what it did, and in the end is free again", () => {
    const limiter = new RateLimiter(null)
    for (let index = 0; index < 200; index++) limiter.take(index)
    limiter.throttled(200)
    const after = sendUntil(limiter, 200, 2200)
    expect(within(after, 1200, 2200)).toBeGreaterThanOrEqual(99)
    expect(within(after, 1200, 2200)).toBeLessThanOrEqual(104)
    limiter.availableAt(600_000)
    for (let index = 0; index < 10_000; index++) limiter.take(600_000)
    expect(limiter.availableAt(600_000)).toBeLessThanOrEqual(600_000)
  })

  it("never stands still, however often it is throttled", () => {
    const limiter = new RateLimiter(2)
    let now = 0
    for (let index = 0; index < 20; index++) {
      limiter.throttled(now)
      now += 1000
    }
    expect(limiter.availableAt(now)).toBeLessThanOrEqual(now)
    limiter.take(now)
    expect(limiter.availableAt(now)).toBeLessThanOrEqual(now + 1000)
  })
})
