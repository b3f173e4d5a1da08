import { assert, describe, it } from "@effect/vitest"
import * as Listener from "@watchword/gateway-http/Listener"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

const recorder = () => {
  const heard: Array<number> = []
  return { heard, handle: (event: number) => Effect.sync(() => void heard.push(event)) }
}

describe("a listener", () => {
  it.effect("hears what it is told, before it listened too", () =>
    Effect.gen(function* () {
      const { listen, tell } = Listener.make<number, never>()
      const { handle, heard } = recorder()
      const early = yield* Effect.forkChild(tell(1), { startImmediately: true })
      assert.deepStrictEqual(heard, [])
      yield* listen(handle)
      yield* Fiber.join(early)
      yield* tell(2)
      assert.deepStrictEqual(heard, [1, 2])
    })
  )

  it.effect("hears nothing any more when its scope has closed, and the next one does", () =>
    Effect.gen(function* () {
      const { listen, tell } = Listener.make<number, never>()
      const [first, second] = [recorder(), recorder()]
      yield* Effect.scoped(Effect.andThen(listen(first.handle), tell(1)))
      const between = yield* Effect.forkChild(tell(2), { startImmediately: true })
      yield* listen(second.handle)
      yield* Fiber.join(between)
      assert.deepStrictEqual([first.heard, second.heard], [[1], [2]])
    })
  )

  it.effect("keeps listening when an earlier one stops", () =>
    Effect.gen(function* () {
      const { listen, tell } = Listener.make<number, never>()
      const second = recorder()
      yield* Effect.scoped(Effect.andThen(listen(recorder().handle), Effect.void)).pipe(
        Effect.andThen(listen(second.handle))
      )
      yield* tell(1)
      assert.deepStrictEqual(second.heard, [1])
    })
  )

  it.effect("passes on that it failed", () =>
    Effect.gen(function* () {
      const { listen, tell } = Listener.make<number, string>()
      yield* listen(() => Effect.fail("away"))
      assert.strictEqual(yield* Effect.flip(tell(1)), "away")
    })
  )
})
