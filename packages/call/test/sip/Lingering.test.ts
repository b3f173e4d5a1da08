import { Lingering } from "@watchword/call/sip/Lingering"
import { Timers } from "@watchword/call/Timers"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const TIME = 1000

/** The times at which things came, by their names. */
type Kept = Map<string, number>

const find = ({ generations }: Lingering<Kept>, name: string): number | undefined =>
  generations.map((kept) => kept.get(name)).find((time) => time !== undefined)

/** A clock that is set by hand, and what was asked of it. */
const start = () => {
  let now = 0
  let wakeAt = Number.POSITIVE_INFINITY
  const timers = new Timers(
    () => now,
    (at) => {
      wakeAt = Math.min(wakeAt, at)
    }
  )
  const advance = (to: number): void => {
    while (wakeAt <= to) {
      now = wakeAt
      wakeAt = Number.POSITIVE_INFINITY
      timers.sweep()
    }
    now = to
  }
  const lingering = new Lingering(timers, TIME, () => new Map<string, number>())
  return { lingering, advance, isIdle: () => wakeAt === Number.POSITIVE_INFINITY }
}

describe("what lingers", () => {
  it("does so for its time, and for a quarter of it longer at most; then no timer is left", () => {
    const times = FastCheck.array(FastCheck.nat({ max: 5 * TIME }), { minLength: 1, maxLength: 50 })
    FastCheck.assert(
      FastCheck.property(times, FastCheck.nat({ max: 7 * TIME }), (times, at) => {
        const { advance, isIdle, lingering } = start()
        const kept = times.toSorted((a, b) => a - b)
        for (const [index, time] of kept.entries()) {
          if (time > at) break
          advance(time)
          lingering.latest.set(String(index), time)
        }
        advance(at)
        for (const [index, time] of kept.entries()) {
          const found = find(lingering, String(index))
          if (time <= at && at < time + TIME) expect(found).toBe(time)
          if (time > at || at > time + 1.25 * TIME) expect(found).toBeUndefined()
        }
        advance(at + 3 * TIME)
        expect(isIdle()).toBe(true)
      })
    )
  })
})
