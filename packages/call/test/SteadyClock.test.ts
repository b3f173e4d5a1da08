/**
 * The clock that calls are measured by.
 */
import { assert, describe, it } from "@effect/vitest"
import * as SteadyClock from "../src/internal/SteadyClock.ts"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

describe("the clock of calls", () => {
  it.effect("begins as the system's, and is moved by the monotonic clock alone", () =>
    Effect.gen(function* () {
      const system = { wall: 1_700_000_000_000, monotonic: 5_000_000_000n }
      const clock: Clock.Clock = {
        ...(yield* Clock.Clock),
        currentTimeMillisUnsafe: () => system.wall,
        monotonicTimeNanosUnsafe: () => system.monotonic
      }
      const time = yield* Effect.provideService(SteadyClock.make, Clock.Clock, clock)
      assert.strictEqual(time(), 1_700_000_000_000)
      system.wall += 3_600_000
      assert.strictEqual(time(), 1_700_000_000_000)
      system.wall -= 7_200_000
      system.monotonic += 3_000_000_000n
      assert.strictEqual(time(), 1_700_000_003_000)
    })
  )
})
