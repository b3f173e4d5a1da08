import { assert, it } from "@effect/vitest"
import { memory } from "@watchword/store/MemoryStore"
import * as Settings from "@watchword/store/Settings"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Gateways from "../src/channel/Gateways.ts"

class Carriers extends Context.Service<Carriers, Gateways.Gateway<string>>()("@watchword/send/test/Carriers") {}

const handle: Gateways.Handle<string> = () => Effect.void

it.effect("a channel without a gateway has no connections and no webhook", () =>
  Effect.gen(function* () {
    const { all, health, webhook } = yield* Gateways.make("SMS", Carriers, handle)
    assert.deepStrictEqual(yield* health, [])
    assert.deepStrictEqual(all, [])
    assert.isNull(webhook)
  }).pipe(Effect.scoped, Effect.provide(Settings.layer.pipe(Layer.provideMerge(memory()))))
)
