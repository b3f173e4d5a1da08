import { assert, it } from "@effect/vitest"
import { keepNotice } from "@watchword/send/gateway"
import { standingNotices } from "@watchword/send/pipeline"
import { memory } from "@watchword/store/MemoryStore"
import * as Settings from "@watchword/store/Settings"
import { Store } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const layer = Settings.layer.pipe(Layer.provideMerge(memory()))

it.effect("a notice is kept by its subject under a name that releases share, until it is withdrawn", () =>
  Effect.gen(function* () {
    const settings = yield* Settings.Settings
    const store = yield* Store
    const notice = { about: "template", severity: "warn", lasts: null } as const
    const names = Effect.map(store.settings(null), (kept) => kept.map(({ name }) => name))
    yield* keepNotice(settings, { ...notice, text: "The template is paused." })
    assert.deepStrictEqual(yield* names, ["platform-notice:template"])
    yield* store.changeSetting({ account: null, name: "another", value: "1" })
    assert.deepStrictEqual(
      (yield* standingNotices).map(({ text }) => text),
      ["The template is paused."]
    )
    yield* keepNotice(settings, { ...notice, text: null })
    assert.deepStrictEqual(yield* names, ["another"])
  }).pipe(Effect.provide(layer))
)
