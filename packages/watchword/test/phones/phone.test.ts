import { assert, describe, it } from "@effect/vitest"
import { PrivacyCommands } from "@watchword/operator/commands"
import type { Principal } from "@watchword/schemas/Account"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { alone, business, code, messages, opened, sandbox, setPhone, states, text, to } from "./fixture.ts"

describe("a phone", () => {
  it.effect("has a say instead of the last digits of its number, and without it they have theirs", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      assert.deepInclude(yield* Effect.flip(text(acme)), { _tag: "SERVICE_UNAVAILABLE" })
      yield* setPhone(acme, {})
      yield* text(acme)
      yield* business(acme)
      yield* code(acme)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* states(acme), ["delivered", "delivered", "delivered"])
      yield* setPhone(acme, { sms: "undelivered", bizchat: "read" })
      yield* text(acme)
      yield* business(acme)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual((yield* states(acme)).slice(3), ["failed", "read"])
      yield* sandbox("removePhone", acme, to)
      assert.deepInclude(yield* Effect.flip(text(acme)), { _tag: "SERVICE_UNAVAILABLE" })
    }).pipe(alone)
  )

  it.effect("is of one account, and of the sandbox alone", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, {})
      assert.deepInclude(yield* Effect.flip(text(yield* opened)), { _tag: "SERVICE_UNAVAILABLE" })
      const live: Principal = { ...acme, mode: "live" }
      const names = ["phones", "phone", "setPhone", "removePhone", "messageEvent", "callEvent", "phoneEvents"]
      for (const name of names) {
        const body = name === "callEvent" ? { event: "answer" } : name === "messageEvent" ? { event: "read" } : {}
        const refused = yield* Effect.flip(sandbox(name, live, name === "phoneEvents" ? {} : to, body))
        assert.deepInclude(refused, { _tag: "FORBIDDEN", reason: "sandbox_only" })
      }
    }).pipe(alone)
  )

  it.effect("is one of a hundred", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      for (let index = 0; index < 100; index++) yield* setPhone(acme, {}, `+491512345${String(1000 + index)}`)
      assert.deepInclude(yield* Effect.flip(setPhone(acme, {})), { _tag: "BAD_REQUEST" })
      yield* setPhone(acme, { mode: "manual" }, "+4915123451000")
      assert.lengthOf(Object(yield* sandbox("phones", acme)).phones, 100)
    }).pipe(alone)
  )

  it.effect("goes with the person of its number", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, {})
      yield* text(acme)
      yield* TestClock.adjust("1 second")
      const asked = yield* PrivacyCommands.erase.ask({ number: to })
      assert.strictEqual((yield* asked.run).json.settings, 1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* sandbox("phones", acme), { phones: [] })
      assert.deepStrictEqual(yield* messages(acme), [])
    }).pipe(alone)
  )
})

describe("a text with a delay", () => {
  it.effect("is kept by its carrier until then", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { sms: { delay: 20 } })
      yield* text(acme)
      yield* TestClock.adjust("19 seconds")
      assert.deepStrictEqual(yield* states(acme), ["kept"])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* states(acme), ["delivered"])
    }).pipe(alone)
  )

  it.effect("waits on for a phone that is offline by then", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { sms: { delay: 20 } })
      yield* text(acme)
      yield* setPhone(acme, { offline: true })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* states(acme), ["kept"])
      yield* setPhone(acme, {})
      assert.deepStrictEqual(yield* states(acme), ["delivered"])
    }).pipe(alone)
  )
})
