/** The sandbox: the last digits of a number choose the outcome of its sends, and of the sends that follow. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  CHAT_THEN_SMS,
  SMS,
  SMS_THEN_CALL,
  expectAttempts,
  centsOf,
  check,
  eventually,
  inWorld,
  list,
  principal,
  settled,
  start
} from "./fixture.ts"

const to = (digits: string) => ({ to: `+491512345${digits}` })

describe("a verification in the sandbox", () => {
  it.effect("needs no gateway, no pool and no money, and reaches no gateway", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal("sandbox", 0, [])
        const started = yield* start(by, { code: "4242", ...to("0005") })
        assert.deepInclude(started, { status: "pending", channel: "chatgw" })
        assert.deepInclude(yield* check(by, started, "4242"), { valid: true, status: "approved" })
        assert.strictEqual(world.sms.sends.length + world.chat.sends.length, 0)
        assert.deepStrictEqual(yield* centsOf(by), { available: 0, held: 0 })
      })
    )
  )

  it.effect("stays where its message is delivered", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal("sandbox")
        const started = yield* start(by, { ...CHAT_THEN_SMS, ...to("0005") })
        yield* TestClock.adjust("1 second")
        const after = yield* expectAttempts(by, started, ["chatgw delivered"])
        assert.isNull(after.next)
      })
    )
  )

  it.effect("goes on when nothing is heard of 0001", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal("sandbox")
        const started = yield* start(by, { ...CHAT_THEN_SMS, ...to("0001") })
        yield* TestClock.adjust("30 seconds")
        yield* expectAttempts(by, started, ["chatgw revoked", "sms accepted"])
      })
    )
  )

  it.effect("goes on at once from what 0002 does not get, to the end", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal("sandbox")
        const started = yield* start(by, { ...CHAT_THEN_SMS, ...to("0002") })
        yield* TestClock.adjust("1 second")
        yield* expectAttempts(by, started, ["chatgw undelivered", "sms accepted"])
        yield* TestClock.adjust("1 second")
        const after = yield* expectAttempts(by, started, ["chatgw undelivered", "sms undelivered"])
        assert.deepInclude(after, { status: "failed", reason: "undeliverable" })
      })
    )
  )

  it.effect("goes on at once where 0003 has no account", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal("sandbox")
        const started = yield* start(by, { ...CHAT_THEN_SMS, ...to("0003") })
        assert.deepInclude(started.attempts[0], { status: "undelivered", reason: "NO_ACCOUNT" })
        assert.deepInclude(started, { channel: "sms" })
      })
    )
  )

  const refusals = [
    ["0402", "PAYMENT_REQUIRED"],
    ["0480", "TEMPORARY_UNAVAILABLE"],
    ["0503", "SERVICE_UNAVAILABLE"]
  ] as const

  it.effect.each(refusals)("to %s fails as each of its steps does", ([digits, tag]) =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal("sandbox")
        const error = yield* Effect.flip(start(by, { ...CHAT_THEN_SMS, ...to(digits) }))
        assert.strictEqual(error._tag, tag)
        const { rows } = yield* list(by)
        assert.deepInclude(rows[0], { status: "failed", reason: "undeliverable" })
      })
    )
  )

  it.effect("calls after a time-out, and a busy number is passed over", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal("sandbox", 0, [])
        const calls = { workflow: [{ channel: "call", timeout: 60 }, ...SMS.workflow] }
        const busy = yield* Effect.forkChild(start(by, { ...calls, ...to("0486") }))
        const answered = Effect.map(TestClock.adjust("1 millis"), () => busy.pollUnsafe() !== undefined)
        yield* eventually(answered, (isAnswered) => isAnswered)
        const started = yield* Fiber.join(busy)
        assert.deepInclude(started.attempts[0], { channel: "call", status: "undelivered", reason: "BUSY_HERE" })
        assert.deepInclude(started, { channel: "sms" })
        const silent = yield* start(by, { ...SMS_THEN_CALL, ...to("0001") })
        yield* TestClock.adjust("61 seconds")
        yield* expectAttempts(by, silent, ["sms accepted", "call opening"])
        yield* eventually(settled, () => false, 20)
        yield* TestClock.adjust("1 second")
        yield* expectAttempts(by, silent, ["sms accepted", "call accepted"])
      })
    )
  )
})
