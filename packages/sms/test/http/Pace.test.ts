import { Pace } from "../../src/internal/http/Pace.ts"
import { describe, expect, it } from "vitest"

/** The turns of so many texts at once. */
const turns = (pace: Pace, now: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, () => pace.turn(now, Number.POSITIVE_INFINITY) ?? Number.NaN)

describe("the pace of a provider that throttles", () => {
  it("is the provider's pause, and those that have waited for their turn take another", () => {
    const pace = new Pace(10)
    const [first = 0, second = 0] = turns(pace, 0, 2)
    pace.throttled(50, 3000)
    expect([first, second].map((turn) => pace.holds(turn))).toEqual([false, false])
    expect(pace.turn(50, 10_000)).toBe(3070)
    expect(pace.holds(3070)).toBe(true)
  })

  it("is a second's pause where the provider says nothing", () => {
    const pace = new Pace(null)
    turns(pace, 0, 1)
    pace.throttled(50, 0)
    expect(pace.turn(50, 10_000)).toBe(1050)
  })

  it("is the rate at which the provider took texts before", () => {
    const pace = new Pace(null)
    turns(pace, 0, 30)
    for (let answer = 0; answer < 10; answer++) pace.answered(100)
    for (let answer = 0; answer < 20; answer++) pace.throttled(100, 0)
    expect(pace.learned).toBe(10)
    const after = turns(pace, 1200, 20)
    expect(after.filter((turn) => turn < 2200).length).toBeLessThanOrEqual(11)
  })

  it("is not slower after one of many", () => {
    const pace = new Pace(null)
    for (let answer = 0; answer < 100; answer++) pace.answered(answer)
    pace.throttled(100, 0)
    expect(pace.learned).toBeNull()
    expect(turns(pace, 200, 100)).toEqual(turns(pace, 200, 100).map(() => 200))
  })
})
