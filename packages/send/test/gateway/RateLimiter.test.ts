import { RateLimiter } from "../../src/gateway/RateLimiter.ts"
import * as Pacing from "../../../../test/pacing.ts"
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

  it("without a rate goes on at half of its window, and is free again once nothing throttles", () => {
    const limiter = new RateLimiter(null, 200)
    for (let index = 0; index < 200; index++) limiter.take(index)
    limiter.throttled(200)
    const after = sendUntil(limiter, 200, 2200)
    expect(within(after, 1200, 2200)).toBeGreaterThanOrEqual(99)
    expect(within(after, 1200, 2200)).toBeLessThanOrEqual(204)
    expect(limiter.learned).toBeGreaterThanOrEqual(100)
    sendUntil(limiter, 2200, 12_200)
    expect(limiter.learned).toBeNull()
    for (let index = 0; index < 10_000; index++) limiter.take(12_200)
    expect(limiter.availableAt(12_200)).toBeLessThanOrEqual(12_200)
  })

  it("keeps what it has learned while it is not used", () => {
    const limiter = new RateLimiter(null)
    const run = Pacing.run({ limiter, carrier: Pacing.bySecond(20), arrivals: Pacing.bursts(3, 100) })
    expect(Pacing.lost(run)).toBe(0)
    const learned = limiter.learned ?? 0
    expect(learned).toBeGreaterThan(10)
    limiter.availableAt(500_000)
    expect(limiter.learned).toBe(learned)
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

/** Carriers that count in ways of their own. */
const carriers = {
  "in each second": Pacing.bySecond,
  "in any second": (rate: number) => Pacing.bySlidingSecond(rate),
  "by tokens for a second": (rate: number) => Pacing.byBucket(rate, rate)
}

describe("a carrier without a known rate", () => {
  const rates = [5, 20, 200] as const
  for (const rate of rates) {
    for (const [how, carrier] of Object.entries(carriers)) {
      it(`that takes ${rate} a second, counted ${how}, gets bursts at quiet times whole and is seldom too busy`, () => {
        FastCheck.assert(
          FastCheck.property(
            // A text waits for ten seconds at most, of which a carrier with an unknown rate costs up to four.
            FastCheck.double({ min: 1.5, max: 6, noNaN: true }),
            FastCheck.integer({ min: 5, max: 200 }),
            FastCheck.nat({ max: 999 }),
            (seconds, latency, offset) => {
              const limiter = new RateLimiter(null)
              const arrivals = Pacing.bursts(12, Math.round(seconds * rate))
              const run = Pacing.run({ limiter, carrier: carrier(rate, offset), arrivals, latency })
              expect(Pacing.lost(run)).toBe(0)
              // Three bursts have taught it the rate.
              expect(Pacing.throttledShare(run, 4 * 60_000)).toBeLessThanOrEqual(0.1)
            }
          ),
          { numRuns: rate === 200 ? 10 : 40 }
        )
      })
    }
  }

  it("that throttles one text of a quiet link takes a hundred at once a moment later", () => {
    const run = Pacing.run({ limiter: new RateLimiter(null), carrier: throttles(2), arrivals: afterOne })
    expect(Pacing.lost(run)).toBe(0)
    expect(Pacing.delay(run, 0.99)).toBeLessThan(3000)
  })

  it("that throttles one text of a quiet link takes half a window at once, where messages do not wait", () => {
    const limiter = new RateLimiter(null, 100)
    limiter.take(0)
    limiter.throttled(50)
    let left = 0
    for (; limiter.availableAt(2000) <= 2000; left++) limiter.take(2000)
    expect(left).toBe(50)
  })

  it("that throttles two of them, or a whole burst, does so too", () => {
    for (const carrier of [throttles(2, 3), throttles(...Array.from({ length: 100 }, (_, index) => index + 3))]) {
      expect(Pacing.lost(Pacing.run({ limiter: new RateLimiter(null), carrier, arrivals: afterOne }))).toBe(0)
    }
  })

  it("that throttles each hundredth text for ever does not slow the link down", () => {
    let count = 0
    const carrier = () => ++count % 100 !== 0
    const arrivals = Array.from({ length: 6000 }, (_, index) => 20 * index)
    const run = Pacing.run({ limiter: new RateLimiter(null), carrier, arrivals })
    expect(Pacing.lost(run)).toBe(0)
    expect(Pacing.delay(run, 0.99)).toBeLessThan(1000)
  })

  it("that takes one a second and always gets two learns it", () => {
    const arrivals = Array.from({ length: 400 }, (_, index) => 10_000 * (index >> 1))
    const limiter = new RateLimiter(null)
    const run = Pacing.run({ limiter, carrier: Pacing.bySecond(1), arrivals })
    expect(Pacing.throttledShare(run, 300_000)).toBeLessThanOrEqual(0.1)
    expect(limiter.learned).toBeLessThan(2)
  })

  it("that takes ten times as much from one day on, or a tenth, is found out", () => {
    for (const [before, after] of [
      [20, 200],
      [200, 20]
    ] as const) {
      const [one, other] = [Pacing.bySecond(before), Pacing.bySecond(after)]
      const carrier = (now: number) => (now < 300_000 ? one(now) : other(now))
      const limiter = new RateLimiter(null)
      const run = Pacing.run({ limiter, carrier, arrivals: Pacing.bursts(20, 100) })
      expect(Pacing.lost(run)).toBe(0)
      expect(Pacing.throttledShare(run, 420_000)).toBeLessThanOrEqual(0.1)
    }
  })

  it("and of a higher rate than the option's keeps the option's", () => {
    const limiter = new RateLimiter(20)
    const run = Pacing.run({ limiter, carrier: Pacing.bySecond(10), arrivals: Pacing.bursts(12, 60) })
    expect(Pacing.lost(run)).toBe(0)
    expect(Pacing.throttledShare(run, 2 * 60_000)).toBeLessThanOrEqual(0.1)
    expect(within(sendUntil(limiter, 1_000_000, 1_001_000), 1_000_000, 1_001_000)).toBeLessThanOrEqual(22)
  })
})

/** Throttles those texts, by their number, and takes all others. */
const throttles = (...numbers: ReadonlyArray<number>): Pacing.Carrier => {
  let count = 0
  return () => !numbers.includes(++count)
}

/** Two texts a second apart, and a hundred at once three seconds later. */
const afterOne = [0, 1000, ...Array.from({ length: 100 }, () => 4000)]
