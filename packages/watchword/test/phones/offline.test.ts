import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import {
  alone,
  business,
  code,
  flash,
  messages,
  opened,
  processes,
  sandbox,
  setPhone,
  states,
  text,
  to
} from "./fixture.ts"

describe("a phone that is offline", () => {
  it.effect("has its messages kept, which arrive together, and calls fail", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { offline: true })
      yield* text(acme)
      yield* business(acme)
      yield* code(acme)
      assert.deepInclude(yield* Effect.flip(flash(acme)), { _tag: "TEMPORARY_UNAVAILABLE" })
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(yield* states(acme), ["kept", "kept", "kept"])
      assert.deepStrictEqual(
        (yield* messages(acme)).map(({ accepts }) => accepts),
        [["failed"], ["failed"], ["failed"]]
      )
      yield* setPhone(acme, { mode: "manual" })
      assert.deepStrictEqual(yield* states(acme), ["sent", "sent", "sent"])
      yield* setPhone(acme, { bizchat: "read" })
      assert.deepStrictEqual(yield* states(acme), ["delivered", "delivered", "delivered"])
    }).pipe(alone)
  )

  it.effect("has its messages arrive once it is removed", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { offline: true })
      yield* text(acme)
      yield* sandbox("removePhone", acme, to)
      assert.deepStrictEqual(yield* states(acme), ["delivered"])
    }).pipe(alone)
  )

  it.effect("has a chat expire whose time is over", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, { offline: true })
      yield* code(acme)
      yield* TestClock.adjust("62 seconds")
      assert.deepStrictEqual(yield* states(acme), ["expired"])
      yield* setPhone(acme, {})
      assert.deepStrictEqual(yield* states(acme), ["expired"])
    }).pipe(alone)
  )

  it.effect("has what a process has kept arrive by the next one", () => {
    const inProcess = processes()
    return Effect.gen(function* () {
      const acme = yield* inProcess(
        Effect.gen(function* () {
          const acme = yield* opened
          yield* setPhone(acme, { offline: true })
          yield* text(acme)
          yield* setPhone(acme, { sms: { delay: 100 } }, "+4915123456789")
          yield* text(acme, "+4915123456789")
          yield* TestClock.adjust("5 seconds")
          return acme
        })
      )
      yield* inProcess(
        Effect.gen(function* () {
          yield* TestClock.adjust("1 minute")
          assert.deepStrictEqual(yield* states(acme), ["kept", "kept"])
          yield* setPhone(acme, {})
          assert.deepStrictEqual(yield* states(acme), ["delivered", "kept"])
        })
      )
      yield* TestClock.adjust("1 minute")
      yield* inProcess(
        Effect.gen(function* () {
          yield* TestClock.adjust("1 second")
          assert.deepStrictEqual(yield* states(acme), ["delivered", "delivered"])
        })
      )
    })
  })
})
