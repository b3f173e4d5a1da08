import { describe, expect, it } from "@effect/vitest"
import { Timer, Timers, make } from "@watchword/call/Timers"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import * as FastCheck from "fast-check"

describe("timers", () => {
  it("ring in order, each once, and not when they were cancelled", () => {
    const plan = FastCheck.array(
      FastCheck.record({
        delay: FastCheck.nat({ max: 1000 }),
        cancels: FastCheck.option(FastCheck.nat({ max: 200 }), { freq: 1 })
      }),
      { maxLength: 300, size: "max" }
    )
    FastCheck.assert(
      FastCheck.property(plan, (plan) => {
        let now = 0
        let wakeAt = Number.POSITIVE_INFINITY
        const timers = new Timers(
          () => now,
          (at) => {
            wakeAt = Math.min(wakeAt, at)
          }
        )
        const rung: Array<number> = []
        const set: Array<Timer> = []
        const cancelled = new Set<number>()
        for (const [index, { delay, cancels }] of plan.entries()) {
          set.push(timers.after(delay, () => rung.push(index)))
          const other = cancels === null ? undefined : set[cancels]
          if (cancels === null || other === undefined) continue
          timers.cancel(other)
          timers.cancel(other)
          cancelled.add(cancels)
        }
        const expected = plan
          .map(({ delay }, index) => ({ delay, index }))
          .filter(({ index }) => !cancelled.has(index))
          .toSorted((a, b) => a.delay - b.delay)
        // Only woken when it asked for it.
        while (Number.isFinite(wakeAt)) {
          now = wakeAt
          wakeAt = Number.POSITIVE_INFINITY
          timers.sweep()
        }
        expect(rung.map((index) => plan[index]?.delay)).toEqual(expected.map(({ delay }) => delay))
        expect(rung.toSorted((a, b) => a - b)).toEqual(expected.map(({ index }) => index).toSorted((a, b) => a - b))
      })
    )
  })

  it("ring when they were set to last, sooner or later than before", () => {
    class Bell extends Timer {
      readonly rung: Array<number> = []
      ring(): void {
        this.rung.push(now)
      }
    }
    let now = 0
    const step = FastCheck.record({
      which: FastCheck.nat({ max: 20 }),
      delay: FastCheck.option(FastCheck.nat({ max: 100 })),
      passes: FastCheck.nat({ max: 10 })
    })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(step, { maxLength: 300, size: "max" }), (steps) => {
        now = 0
        let wakeAt = Number.POSITIVE_INFINITY
        const timers = new Timers(
          () => now,
          (at) => {
            wakeAt = Math.min(wakeAt, at)
          }
        )
        const bells = Array.from({ length: 21 }, () => ({
          bell: new Bell(),
          at: Number.POSITIVE_INFINITY,
          rung: new Array<number>()
        }))
        const advance = (to: number): void => {
          while (wakeAt <= to && Number.isFinite(wakeAt)) {
            now = wakeAt
            wakeAt = Number.POSITIVE_INFINITY
            timers.sweep()
          }
          if (to < Number.POSITIVE_INFINITY) now = to
          for (const each of bells) {
            if (each.at > to || each.at === Number.POSITIVE_INFINITY) continue
            each.rung.push(each.at)
            each.at = Number.POSITIVE_INFINITY
          }
        }
        for (const { delay, passes, which } of steps) {
          const each = bells[which]
          if (each === undefined) continue
          if (delay === null) timers.cancel(each.bell)
          else timers.set(each.bell, delay)
          each.at = delay === null ? Number.POSITIVE_INFINITY : now + delay
          advance(now + passes)
        }
        advance(Number.POSITIVE_INFINITY)
        for (const { bell, rung } of bells) expect(bell.rung).toEqual(rung)
      })
    )
  })

  it("may be set and cancelled while others ring", () => {
    let now = 0
    const timers = new Timers(
      () => now,
      () => {}
    )
    const rung: Array<string> = []
    const second = timers.after(2, () => rung.push("cancelled"))
    timers.after(1, () => {
      rung.push("first")
      timers.cancel(second)
      timers.after(0, () => rung.push("at once"))
    })
    now = 5
    timers.sweep()
    expect(rung).toEqual(["first", "at once"])
  })

  it("ring a part of a millisecond late rather than early", () => {
    let now = 0
    const woken: Array<number> = []
    const timers = new Timers(
      () => now,
      (at) => woken.push(at)
    )
    const rung: Array<number> = []
    timers.after(1.2, () => rung.push(now))
    timers.after(2, () => rung.push(now))
    for (now = 0.5; now <= 2; now += 0.5) timers.sweep()
    expect(rung).toEqual([2, 2])
    expect(Math.min(...woken)).toBe(2)
  })

  it.effect("ring although another one fails, which is logged", () =>
    Effect.gen(function* () {
      const rung: Array<string> = []
      const lines: Array<string> = []
      const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
      yield* Effect.gen(function* () {
        const timers = yield* make
        timers.after(0, () => rung.push("at once"))
        timers.after(50, () => {
          throw new Error("a mistake")
        })
        timers.after(50, () => rung.push("beside it"))
        timers.after(80, () => rung.push("after it"))
        const pass = Effect.repeat(TestClock.adjust(10), { times: 10 })
        yield* pass
        timers.after(50, () => rung.push("set since"))
        yield* pass
      }).pipe(Effect.provide(Logger.layer([logger])))
      expect(rung).toEqual(["at once", "beside it", "after it", "set since"])
      expect(lines).toEqual([expect.stringContaining("a mistake")])
    })
  )
})
