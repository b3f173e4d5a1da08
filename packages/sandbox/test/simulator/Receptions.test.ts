import { assert, it } from "@effect/vitest"
import { memory } from "@watchword/store/MemoryStore"
import * as Settings from "@watchword/store/Settings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { wait } from "../../src/internal/simulator/Receptions.ts"

const layer = Settings.layer.pipe(Layer.provideMerge(memory()))

it.effect("ten thousand messages of a channel may wait for their phones, and no more", () =>
  Effect.gen(function* () {
    const waiting = yield* wait("sms", () => Effect.void)
    const kept = { fate: "delivered", dueAt: null, isKept: true } as const
    for (let index = 1; index < 10_000; index++) yield* waiting.afterwards(String(index), kept)
    assert.isFalse(waiting.isFull())
    yield* waiting.afterwards("10000", kept)
    assert.isTrue(waiting.isFull())
  }).pipe(Effect.scoped, Effect.provide(layer))
)
