import { assert, it } from "@effect/vitest"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { memory } from "@watchword/store/MemoryStore"
import * as Settings from "@watchword/store/Settings"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { Heard } from "../src/rehearsal/Rehearsal.ts"
import * as RehearsalAdmin from "../src/rehearsal/RehearsalAdmin.ts"
import * as Rows from "../src/rehearsal/RehearsalSettings.ts"

const layer = Settings.layer.pipe(Layer.provideMerge(memory()))

it.effect("a rehearsal whose server ends without a word is over after a while, with what was written by then", () =>
  Effect.gen(function* () {
    const settings = yield* Settings.Settings
    const shown: Array<Heard> = []
    const request = {
      found: { channel: "sms", name: "acme", by: "smpp", isServed: true },
      to: E164.make("+4915123456789"),
      from: "Watchword",
      wait: 1_000
    } as const
    const running = yield* Effect.forkChild(
      RehearsalAdmin.run(request, (each) => Effect.sync(() => void shown.push(each)))
    )
    yield* TestClock.adjust("2 seconds")
    const [id = assert.fail("nothing was asked")] = (yield* settings.all(null, Rows.asked)).keys()
    const at = yield* Clock.currentTimeMillis
    const sent = { at, kind: "sent", raw: "submit_sm", read: "text 1", facts: {} } as const
    yield* settings.note(null, Rows.seen.of(id), {
      at,
      channel: "sms",
      carrier: "acme",
      number: "+4915*******89",
      from: "Watchword",
      by: "smpp",
      heard: [sent],
      hasEnded: false
    })
    yield* TestClock.adjust("19 seconds")
    assert.deepStrictEqual(shown, [sent])
    yield* TestClock.adjust("3 seconds")
    assert.deepStrictEqual(
      shown.map(({ kind }) => kind),
      ["sent", "note"]
    )
    assert.include(shown[1]?.read, "The server that took the rehearsal has ended")
    assert.deepStrictEqual(yield* Fiber.join(running), { id, heard: [sent] })
  }).pipe(Effect.provide(layer))
)
