import { assert, describe, it } from "@effect/vitest"
import { Receiving, type Wrote, layer } from "@watchword/send/channel/Receiving"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"

const text: Wrote = {
  _tag: "Wrote",
  by: "sms",
  mode: "live",
  account: null,
  from: null,
  assurance: "network",
  text: "hello"
}

describe("a text that comes", () => {
  it.effect("before verifications have started waits for them, and after they have stopped has to come again", () =>
    Effect.gen(function* () {
      const { offer, take } = yield* Receiving
      const early = yield* Effect.forkChild(offer(text))
      yield* Effect.yieldNow
      assert.isUndefined(early.pollUnsafe())
      const scope = yield* Scope.make()
      yield* Scope.provide(
        take(() => Effect.succeed("approved")),
        scope
      )
      assert.strictEqual(yield* Fiber.join(early), "approved")
      assert.strictEqual(yield* offer(text), "approved")
      yield* Scope.close(scope, Exit.void)
      const { _tag, reason } = yield* Effect.flip(offer(text))
      assert.deepStrictEqual([_tag, reason], ["StoreError", "Unavailable"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("in a program without verifications is about none", () =>
    Effect.gen(function* () {
      const { offer } = yield* Receiving
      assert.strictEqual(yield* offer(text), "unknown")
    })
  )
})
