import { assert, describe, it } from "@effect/vitest"
import { Settings } from "@watchword/store/Settings"
import * as VerifySettings from "../src/internal/VerifySettings.ts"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import {
  CHAT_THEN_SMS,
  SMS,
  expectAttempts,
  eventually,
  get,
  inWorld,
  outcomesOf,
  principal,
  settled,
  start
} from "./fixture.ts"

describe("a start without a workflow", () => {
  it.effect("goes by the channels that have a gateway, the cheapest first and a call last", () =>
    inWorld(
      (world) =>
        Effect.gen(function* () {
          world.chat.probe = () => Effect.succeed({ _tag: "Unreachable" })
          const by = yield* principal()
          const started = yield* start(by)
          // A chat message costs three cents, a business chat four, a text five; a call two.
          const refusedThenTaken = ["chatgw undelivered", "bizchat accepted"]
          assert.deepStrictEqual(outcomesOf(started), refusedThenTaken)
          yield* TestClock.adjust("30 seconds")
          yield* expectAttempts(by, started, [...refusedThenTaken, "sms accepted"])
          yield* TestClock.adjust("60 seconds")
          yield* expectAttempts(by, started, [...refusedThenTaken, "sms accepted", "call accepted"])
        }),
      { live: ["call", "sms", "chatgw", "bizchat"] }
    )
  )

  it.effect("goes in the sandbox by the channels that live keys have, and without any by all", () =>
    Effect.gen(function* () {
      const channelsOf = (sends: number) =>
        Effect.gen(function* () {
          const by = yield* principal("sandbox", 0, [])
          // Nothing arrives there.
          const started = yield* start(by, { to: "+4915123450002" })
          const later = Effect.andThen(TestClock.adjust("20 millis"), get(by, started))
          const { attempts } = yield* eventually(later, (found) => found.attempts.length === sends)
          // No phone rings when the service ends.
          yield* Effect.andThen(TestClock.adjust("2 minutes"), settled)
          return attempts.map(({ channel }) => channel)
        })
      const alone = yield* inWorld(() => channelsOf(1), { live: ["sms"] })
      assert.deepStrictEqual(alone, ["sms"])
      const two = yield* inWorld(() => channelsOf(2), { live: ["call", "sms"] })
      assert.deepStrictEqual(two, ["sms", "call"])
      const none = yield* inWorld(() => channelsOf(4), { live: [] })
      assert.deepStrictEqual(none, ["chatgw", "bizchat", "sms", "call"])
    })
  )

  it.effect("goes by the account's, then by that of the installation, then by the options", () =>
    inWorld(
      () =>
        Effect.gen(function* () {
          const settings = yield* Settings
          const by = yield* principal()
          const first = yield* start(by)
          assert.deepInclude(first, { channel: "chatgw" })
          yield* settings.set(null, VerifySettings.workflows.of("texts"), [{ channel: "sms", timeout: 60 }])
          yield* settings.set(null, VerifySettings.defaultWorkflow, "texts")
          assert.deepInclude(yield* start(by, { purpose: "second" }), { channel: "sms" })
          yield* settings.set(by.account.id, VerifySettings.workflows.of("calls"), [{ channel: "call", timeout: 60 }])
          yield* settings.set(by.account.id, VerifySettings.defaultWorkflow, "calls")
          assert.deepInclude(yield* start(by, { purpose: "third" }), { channel: "call" })
          assert.deepInclude(yield* start(by, { purpose: "fourth", workflow: "texts" }), { channel: "sms" })
          const error = yield* Effect.flip(start(by, { workflow: "none" }))
          assert.deepInclude(error, { _tag: "BAD_REQUEST" })
        }),
      { options: CHAT_THEN_SMS }
    )
  )
})

describe("a step without a price for the number", () => {
  const british = { to: "+447400123456" }

  it.effect("is left out, and the start refused where none is left", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        assert.deepInclude(yield* start(by, { ...CHAT_THEN_SMS, ...british }), { channel: "chatgw", next: null })
        const error = yield* Effect.flip(start(by, { ...SMS, ...british, purpose: "payment" }))
        assert(error._tag === "BAD_REQUEST")
        assert.deepStrictEqual(
          error.issues?.map(({ path }) => path),
          ["to"]
        )
        const sandbox = { ...by, mode: "sandbox" as const }
        assert.deepInclude(yield* start(sandbox, { ...SMS, ...british }), { channel: "sms" })
        assert.strictEqual(world.sms.sends.length, 0)
      })
    )
  )
})
