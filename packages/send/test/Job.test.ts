import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { BackgroundAllowed } from "../src/pipeline/Background.ts"
import * as Job from "../src/pipeline/Job.ts"
import { makeMemory } from "@watchword/store/MemoryStore"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { words } from "../../../scripts/contract/jobs.ts"

/** A store of one server, or of several. */
const on = (cluster: boolean) => {
  const store = makeMemory()
  return Effect.provideService(Store, { ...store, manifest: { ...store.manifest, cluster } })
}

const counted = () => {
  const passes = { count: 0 }
  return { passes, pass: Effect.sync(() => void passes.count++) }
}

describe("a periodic job", () => {
  it.effect("runs after each of its periods until its scope closes", () =>
    Effect.gen(function* () {
      const { pass, passes } = counted()
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Job.keep("lease", pass)
          yield* TestClock.adjust("4 seconds")
          assert.strictEqual(passes.count, 0)
          yield* TestClock.adjust("6 seconds")
          assert.strictEqual(passes.count, 2)
        })
      )
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(passes.count, 2)
    }).pipe(on(false))
  )

  it.effect("goes on after a pass that fails, which the log names", () => {
    const failed: Array<unknown> = []
    const logger = Logger.make(({ fiber }) => failed.push(fiber.getRef(References.CurrentLogAnnotations)["job"]))
    return Effect.gen(function* () {
      const { pass, passes } = counted()
      yield* Job.keep("retention", Effect.andThen(pass, Effect.fail("no database")))
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual([passes.count, failed], [2, ["retention", "retention"]])
    }).pipe(Effect.scoped, on(false), Effect.provide(Logger.layer([logger])))
  })

  it.effect("runs before its time where it is woken", () =>
    Effect.gen(function* () {
      const { pass, passes } = counted()
      const wake = yield* Queue.sliding<void>(1)
      yield* Job.keep("retention", pass, Queue.take(wake))
      yield* Queue.offer(wake, undefined)
      yield* TestClock.adjust(1)
      assert.strictEqual(passes.count, 1)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(passes.count, 2)
    }).pipe(Effect.scoped, on(false))
  )

  it.effect("of several servers runs on no store of a single one", () =>
    Effect.gen(function* () {
      const { pass, passes } = counted()
      yield* on(false)(Job.keep("sandbox events", pass))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(passes.count, 0)
      yield* on(true)(Job.keep("sandbox events", pass))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(passes.count, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("does not run where no work may be in the background", () =>
    Effect.gen(function* () {
      const { pass, passes } = counted()
      yield* Job.keep("lease", pass)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(passes.count, 0)
    }).pipe(Effect.scoped, on(false), Effect.provideService(BackgroundAllowed, false))
  )

  it("is run by the module that the table names", () => {
    for (const [name, { module }] of Object.entries(words)) {
      const source = readFileSync(new URL(`../../../${module}`, import.meta.url), "utf8")
      assert.match(source, new RegExp(`(Job\\.keep|keepJob)\\("${name}", `))
    }
  })
})
