import { Pace } from "@watchword/sms/smpp/Pace"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

/** Sends as fast as the pace allows from one time to another, and says when each message went. */
const sendUntil = (pace: Pace, from: number, to: number): ReadonlyArray<number> => {
  const times: Array<number> = []
  let now = from
  while (times.length < 1_000_000) {
    now = Math.max(now, pace.availableAt(now))
    if (now >= to) break
    // A timer of whole milliseconds, as the gateway's is.
    now = Math.ceil(now)
    pace.sent(now)
    times.push(now)
  }
  return times
}

const within = (times: ReadonlyArray<number>, from: number, to: number) =>
  times.filter((time) => time >= from && time < to).length

describe("a pace", () => {
  it("without a rate holds nothing back", () => {
    const pace = new Pace(null)
    for (let index = 0; index < 10_000; index++) pace.sent(0)
    expect(pace.availableAt(0)).toBeLessThanOrEqual(0)
  })

  it("reaches its rate and keeps to it in every second", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 1, max: 500 }), FastCheck.nat({ max: 3000 }), (rate, offset) => {
        const times = sendUntil(new Pace(rate), 0, 5000)
        const most = rate + 1 + Math.ceil(rate / 50)
        expect(within(times, offset, offset + 1000)).toBeLessThanOrEqual(most)
        expect(within(times, 1000, 5000)).toBeGreaterThanOrEqual(4 * rate - 1)
      }),
      { numRuns: 50 }
    )
  })

  it("pauses when it is throttled, goes on at half the rate and recovers", () => {
    const pace = new Pace(100)
    sendUntil(pace, 0, 2000)
    expect(pace.throttled(2000)).toBe(true)
    expect(pace.availableAt(2000)).toBe(3000)
    const after = sendUntil(pace, 2000, 30_000)
    expect(after[0]).toBe(3000)
    expect(within(after, 3000, 4000)).toBeLessThanOrEqual(53)
    expect(within(after, 29_000, 30_000)).toBeGreaterThanOrEqual(99)
  })

  it("takes many refusals at once for one", () => {
    const pace = new Pace(100)
    expect([pace.throttled(0), pace.throttled(0), pace.throttled(500)]).toEqual([true, false, false])
    expect(within(sendUntil(pace, 1000, 2000), 1000, 2000)).toBeGreaterThanOrEqual(49)
  })

  it("without a rate halves what it did, and in the end is free again", () => {
    const pace = new Pace(null)
    for (let index = 0; index < 200; index++) pace.sent(index)
    pace.throttled(200)
    const after = sendUntil(pace, 200, 2200)
    expect(within(after, 1200, 2200)).toBeGreaterThanOrEqual(99)
    expect(within(after, 1200, 2200)).toBeLessThanOrEqual(104)
    pace.availableAt(600_000)
    for (let index = 0; index < 10_000; index++) pace.sent(600_000)
    expect(pace.availableAt(600_000)).toBeLessThanOrEqual(600_000)
  })

  it("never stands still, however often it is throttled", () => {
    const pace = new Pace(2)
    let now = 0
    for (let index = 0; index < 20; index++) {
      pace.throttled(now)
      now += 1000
    }
    expect(pace.availableAt(now)).toBeLessThanOrEqual(now)
    pace.sent(now)
    expect(pace.availableAt(now)).toBeLessThanOrEqual(now + 1000)
  })
})
