import { assert, describe, it } from "@effect/vitest"
import { TemporaryUnavailable } from "@watchword/schemas/Errors"
import { unknown } from "@watchword/send/Outcome"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import {
  type World,
  expectAttempts,
  centsOf,
  eventually,
  get,
  inWorld,
  outcomesOf,
  principal,
  start
} from "./fixture.ts"

const LIVE = { live: ["bizchat", "sms"] } as const

const workflow = [
  { channel: "bizchat", timeout: 30 },
  { channel: "sms", timeout: 30 }
]

describe("a text that was delivered", () => {
  it.effect("and failed after that is followed by the next step, as if it had failed at once", () =>
    inWorld(
      (world) =>
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, { workflow })
          yield* world.business.status(1, "delivered")
          yield* expectAttempts(by, started, ["bizchat delivered"])
          assert.isNull((yield* get(by, started)).next)
          yield* world.business.status(1, "failed", 131026)
          yield* eventually(
            Effect.sync(() => world.sms.sends.length),
            (sends) => sends === 1
          )
          // The record of the text in its place is read when the plan is due.
          yield* TestClock.adjust("5 seconds")
          const after = yield* expectAttempts(by, started, ["bizchat undelivered", "sms accepted"])
          assert.deepInclude(after, { status: "pending", channel: "sms", step: 2 })
          // The text costs nothing, the one in its place five cents.
          assert.deepStrictEqual(yield* centsOf(by), { available: 995, held: 0 })
          // The platform repeats itself.
          yield* world.business.status(1, "failed", 131026)
          yield* world.business.status(1, "delivered")
          assert.deepStrictEqual(outcomesOf(yield* get(by, started)), ["bizchat undelivered", "sms accepted"])
          assert.strictEqual(world.sms.sends.length, 1)
        }),
      LIVE
    )
  )

  it.effect("and failed after a later step was taken moves nothing", () =>
    inWorld(
      (world) =>
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, { workflow })
          yield* TestClock.adjust("30 seconds")
          yield* expectAttempts(by, started, ["bizchat accepted", "sms accepted"])
          yield* world.business.status(1, "delivered")
          yield* expectAttempts(by, started, ["bizchat delivered", "sms accepted"])
          yield* world.business.status(1, "failed", 131000)
          yield* expectAttempts(by, started, ["bizchat undelivered", "sms accepted"])
          assert.strictEqual(world.sms.sends.length, 1)
        }),
      LIVE
    )
  )
})

describe("a text that the platform holds back", () => {
  const holdsBack = ({ business }: World) => {
    business.answer = (refs) =>
      unknown(new TemporaryUnavailable({ message: "The platform holds it back." }), refs, { held: true })
  }

  it.effect("is followed by the next step after its time-out, and costs nothing so far", () =>
    inWorld(
      (world) =>
        Effect.gen(function* () {
          holdsBack(world)
          const by = yield* principal()
          const started = yield* start(by, { workflow })
          assert.deepStrictEqual(outcomesOf(started), ["bizchat unknown"])
          assert.deepStrictEqual(started.next, { channel: "sms", at: "1970-01-01T00:00:30.000Z" })
          assert.deepStrictEqual(yield* centsOf(by), { available: 996, held: 4 })
          yield* TestClock.adjust("30 seconds")
          yield* expectAttempts(by, started, ["bizchat unknown", "sms accepted"])
          assert.deepStrictEqual(yield* centsOf(by), { available: 991, held: 4 })
          // The platform sends it after all.
          yield* world.business.status(1, "sent")
          yield* expectAttempts(by, started, ["bizchat accepted", "sms accepted"])
          assert.deepStrictEqual(yield* centsOf(by), { available: 991, held: 0 })
        }),
      LIVE
    )
  )

  it.effect("and drops is followed by the next step at once, for nothing", () =>
    inWorld(
      (world) =>
        Effect.gen(function* () {
          holdsBack(world)
          const by = yield* principal()
          const started = yield* start(by, { workflow })
          yield* world.business.status(1, "failed", 132015)
          const after = yield* expectAttempts(by, started, ["bizchat undelivered", "sms accepted"])
          assert.strictEqual(after.attempts[0]?.price, 0)
          assert.deepStrictEqual(yield* centsOf(by), { available: 995, held: 0 })
        }),
      LIVE
    )
  )

  it.effect("and delivers stops the timer", () =>
    inWorld(
      (world) =>
        Effect.gen(function* () {
          holdsBack(world)
          const by = yield* principal()
          const started = yield* start(by, { workflow })
          yield* world.business.status(1, "delivered")
          yield* expectAttempts(by, started, ["bizchat delivered"])
          yield* TestClock.adjust("60 seconds")
          assert.strictEqual(world.sms.sends.length, 0)
          assert.deepStrictEqual(yield* centsOf(by), { available: 996, held: 0 })
        }),
      LIVE
    )
  )
})
