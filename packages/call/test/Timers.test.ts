import { describe, expect, it } from "@effect/vitest"
import * as Timers from "../src/internal/Timers.ts"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { realTime } from "../../../test/until.ts"

/** Node ends shorter timers before it. */
const longer = Effect.promise(() => realTime(40, "the timers of the tests, which are shorter"))

const clocks = [
  { name: "the system's clock", run: it.live, pass: longer },
  { name: "a test's clock", run: it.effect, pass: TestClock.adjust(40) }
] as const

describe.each(clocks)("timers on $name", ({ pass, run }) => {
  run("fire once, in order, and not when they were cancelled", () =>
    Effect.gen(function* () {
      const timers = yield* Timers.make
      const fired: Array<string> = []
      timers.after(20, () => fired.push("third"))
      timers.after(0, () => fired.push("first"))
      const cancelled = timers.after(15, () => fired.push("cancelled"))
      timers.after(10, () => {
        fired.push("second")
        cancelled.cancel()
        cancelled.cancel()
      })
      fired.push("synchronous")
      yield* pass
      yield* pass
      expect(fired).toEqual(["synchronous", "first", "second", "third"])
    })
  )

  run("fire although another one throws, which is logged", () =>
    Effect.gen(function* () {
      const fired: Array<string> = []
      const lines: Array<string> = []
      const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
      yield* Effect.gen(function* () {
        const timers = yield* Timers.make
        timers.after(5, () => {
          throw new Error("a mistake")
        })
        timers.after(5, () => fired.push("beside it"))
        timers.after(10, () => fired.push("after it"))
        yield* pass
      }).pipe(Effect.provide(Logger.layer([logger])))
      expect(fired).toEqual(["beside it", "after it"])
      expect(lines).toEqual([expect.stringContaining("a mistake")])
    })
  )

  run("are cancelled when their scope closes", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const timers = yield* Scope.provide(Timers.make, scope)
      let fired = 0
      timers.after(5, () => fired++)
      yield* Scope.close(scope, Exit.void)
      timers.after(5, () => fired++)
      yield* pass
      expect(fired).toBe(0)
    })
  )
})
