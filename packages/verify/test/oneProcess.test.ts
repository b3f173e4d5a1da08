/** Due steps and receipts within one process, and the maintenance of a host that has no background work. */
import { assert, describe, it } from "@effect/vitest"
import { BackgroundAllowed } from "@watchword/send/pipeline"
import * as Verify from "../src/internal/Verify.ts"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as TestClock from "effect/testing/TestClock"
import { CHAT_THEN_SMS, SMS, expectAttempts, life, makeWorld, number, principal, start } from "./fixture.ts"

describe("a due step", () => {
  it.effect("whose gateway is slow keeps no other waiting", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      yield* life(world)(
        Effect.gen(function* () {
          const latch = yield* Latch.make()
          const { answer } = world.sms
          world.sms.answer = (message) =>
            message.to === number ? Effect.andThen(latch.await, answer(message)) : answer(message)
          const by = yield* principal()
          const slow = yield* start(by, CHAT_THEN_SMS)
          yield* TestClock.adjust("5 seconds")
          const other = yield* start(by, { ...CHAT_THEN_SMS, to: "+4915123456780" })
          yield* TestClock.adjust("31 seconds")
          yield* expectAttempts(by, other, ["chatgw revoked", "sms accepted"])
          yield* latch.open
          yield* expectAttempts(by, slow, ["chatgw revoked", "sms accepted"])
        })
      )
    })
  )
})

describe("a receipt", () => {
  it.effect("that comes between the close of the record and the writing of the plan counts", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      const { store } = world
      const close: typeof store.close = (request) =>
        Effect.tap(store.close(request), () => world.sms.receipt(1, "undelivered"))
      yield* life({ ...world, store: { ...store, close } })(
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, SMS)
          const after = yield* expectAttempts(by, started, ["sms undelivered"])
          assert.deepInclude(after, { status: "failed", reason: "undeliverable" })
        })
      )
    })
  )
})

describe("a host without background work", () => {
  it.effect("has steps taken by its maintenance", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      yield* life(world)(
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, CHAT_THEN_SMS)
          yield* TestClock.adjust("5 minutes")
          assert.strictEqual(world.sms.sends.length, 0)
          yield* Verify.Verify.use(({ maintain }) => maintain)
          assert.strictEqual(world.sms.sends.length, 1)
          yield* expectAttempts(by, started, ["chatgw revoked", "sms accepted"])
        })
      )
    }).pipe(Effect.provideService(BackgroundAllowed, false))
  )
})
