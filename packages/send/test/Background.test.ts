import { assert, describe, it } from "@effect/vitest"
import { WaitUntil, waitUntilUnsafe } from "@watchword/send/pipeline"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"

describe("a fiber that a function has started", () => {
  const fiber = Effect.runFork(Effect.void)

  it.effect("is passed to the host of the request that the function runs in", () =>
    Effect.gen(function* () {
      const kept: Array<Fiber.Fiber<unknown, unknown>> = []
      yield* Effect.provideService(
        Effect.sync(() => waitUntilUnsafe(fiber)),
        WaitUntil,
        (each) => void kept.push(each)
      )
      assert.strictEqual(kept[0], fiber)
      assert.lengthOf(kept, 1)
    })
  )

  it("is left alone outside of requests", () => {
    assert.doesNotThrow(() => waitUntilUnsafe(fiber))
  })
})
