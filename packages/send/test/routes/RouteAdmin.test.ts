import { assert, it } from "@effect/vitest"
import * as CarrierStates from "../../src/routes/CarrierStates.ts"
import * as RouteAdmin from "../../src/routes/RouteAdmin.ts"
import * as RouteSettings from "../../src/routes/RouteSettings.ts"
import { memory } from "@watchword/store/MemoryStore"
import * as Setting from "@watchword/store/Setting"
import * as Settings from "@watchword/store/Settings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"

const layer = Settings.layer.pipe(Layer.provideMerge(memory()))

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
  }).pipe(Effect.provide(layer))
)

/** The row that a process has written. */
const written = Setting.family({
  prefix: "carriers-of:",
  title: "process with carriers",
  most: 10,
  schema: Schema.Struct({ at: Schema.Finite, channel: Schema.String, states: Schema.Array(Schema.Unknown) })
})

it.effect("carriers are shown for all processes together that have written within thirty seconds", () =>
  Effect.gen(function* () {
    const settings = yield* Settings.Settings
    const state = { carrier: "acme", rests: false, window: null, cost: null, refusal: null, approved: 1 }
    const row = (at: number, up: boolean) => ({ at, channel: "sms", states: [{ ...state, up, sent: 2 }] })
    yield* settings.note(null, written.of("one"), row(0, true))
    yield* settings.note(null, written.of("two"), row(10_000, false))
    yield* TestClock.setTime(29_999)
    const [shown, ...others] = yield* RouteAdmin.list
    assert.lengthOf(others, 0)
    assert.deepInclude(shown, { carrier: "acme", channel: "sms", processes: 2, up: 1, sent: 4, approved: 2 })
    yield* TestClock.setTime(30_000)
    assert.deepStrictEqual(
      (yield* CarrierStates.seen).map(({ at }) => at),
      [10_000]
    )
  }).pipe(Effect.provide(layer))
)
