import { assert, it } from "@effect/vitest"
import * as RouteAdmin from "../../src/routes/RouteAdmin.ts"
import * as RouteSettings from "../../src/routes/RouteSettings.ts"
import * as MemoryStore from "@watchword/store/MemoryStore"
import * as Settings from "@watchword/store/Settings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"

it.effect("a drain forgets those whose time is over, and no others", () =>
  Effect.gen(function* () {
    const settings = yield* Settings.Settings
    yield* RouteAdmin.drain("acme", 60_000)
    yield* RouteAdmin.drain("bell", 300_000)
    yield* RouteAdmin.drain("cell", null)
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(yield* RouteAdmin.drain("dial", 1_000), { until: 61_000 })
    assert.deepStrictEqual([...(yield* settings.all(null, RouteSettings.drains))].sort(), [
      ["bell", 300_000],
      ["cell", null],
      ["dial", 61_000]
    ])
  }).pipe(Effect.provide(Settings.layer.pipe(Layer.provideMerge(MemoryStore.layer))))
)
