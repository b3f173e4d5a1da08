import { assert, describe, it } from "@effect/vitest"
import type { BizchatEvent } from "@watchword/bizchat/BizchatGateway"
import { businessChatSandbox } from "@watchword/sandbox/simulator"
import * as Settings from "@watchword/store/Settings"
import { memory } from "@watchword/store/MemoryStore"
import * as Layer from "effect/Layer"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { messageTo } from "./message.ts"

const sandbox = Effect.gen(function* () {
  const store = Layer.fresh(Layer.provideMerge(Settings.layer, memory()))
  const { gateway } = yield* Effect.provideContext(businessChatSandbox, yield* Layer.build(store))
  const events: Array<BizchatEvent> = []
  yield* gateway.events((event) => Effect.sync(() => void events.push(event)))
  return { gateway, events }
})

describe("the number's last digits", () => {
  const failures = [
    ["0003", "NOT_FOUND"],
    ["0480", "TEMPORARY_UNAVAILABLE"],
    ["0503", "SERVICE_UNAVAILABLE"]
  ] as const

  it.effect.each(failures)("%s reject with %s", ([digits, failure]) =>
    Effect.gen(function* () {
      const { events, gateway } = yield* sandbox
      const outcome = yield* gateway.send(messageTo(digits))
      assert(outcome._tag === "Rejected")
      assert.strictEqual(outcome.failure._tag, failure)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(events, [])
    })
  )

  const ends = [
    ["0002", "failed"],
    ["0004", "failed"],
    ["0486", "delivered"],
    ["6789", "delivered"]
  ] as const

  it.effect.each(ends)("%s end in %s, a second later", ([digits, status]) =>
    Effect.gen(function* () {
      const { events, gateway } = yield* sandbox
      const outcome = yield* gateway.send(messageTo(digits))
      assert(outcome._tag === "Accepted")
      yield* TestClock.adjust("999 millis")
      assert.deepStrictEqual(events, [])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(events, [
        { _tag: "Status", ref: outcome.refs[0] ?? "", of: null, status, at: 1, errorCode: null, notOnPlatform: false }
      ])
    })
  )

  it.effect("0001 are never heard of again", () =>
    Effect.gen(function* () {
      const { events, gateway } = yield* sandbox
      assert.strictEqual((yield* gateway.send(messageTo("0001")))._tag, "Accepted")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(events, [])
    })
  )
})
