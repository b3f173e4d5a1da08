import { assert, it } from "@effect/vitest"
import { keep, seen } from "@watchword/send/channel/Certificates"
import { memory } from "@watchword/store/MemoryStore"
import * as Settings from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"

const layer = Settings.layer.pipe(Layer.provideMerge(memory()))

const up = (name: string, certificateEnds?: number) => ({
  name,
  up: true,
  ...(certificateEnds === undefined ? {} : { certificateEnds })
})

it.effect("of two processes the certificate that ends first is known, until the processes end", () =>
  Effect.gen(function* () {
    const running = Effect.gen(function* () {
      yield* keep(Effect.succeed([up("sms:a", 2_000), up("sms:b")]))
      yield* keep(Effect.succeed([up("sms:a", 1_000), up("call:c", 3_000)]))
      assert.deepStrictEqual(yield* seen, [])
      yield* TestClock.adjust("1 minute")
      assert.sameDeepMembers(
        [...(yield* seen)],
        [
          { connection: "sms:a", ends: 1_000 },
          { connection: "call:c", ends: 3_000 }
        ]
      )
    })
    yield* Effect.scoped(running)
    assert.deepStrictEqual(yield* seen, [])
  }).pipe(Effect.provide(layer))
)

it.effect("a service whose connections have no certificates writes nothing", () =>
  Effect.gen(function* () {
    yield* keep(Effect.succeed([up("sms:b")]))
    yield* TestClock.adjust("3 minutes")
    assert.deepStrictEqual(yield* (yield* Store).settings(null), [])
  }).pipe(Effect.scoped, Effect.provide(layer))
)
