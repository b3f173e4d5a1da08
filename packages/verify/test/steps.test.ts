import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  CHAT_THEN_SMS,
  SMS,
  SMS_THEN_CALL,
  expectAttempts,
  cancel,
  centsOf,
  check,
  codeOf,
  eventually,
  inWorld,
  list,
  lost,
  next,
  outcomesOf,
  principal,
  refusal,
  settled,
  start
} from "./fixture.ts"

describe("the next step", () => {
  it.effect("is taken at once when a gateway refuses", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        world.chat.probe = () => Effect.succeed({ _tag: "Unreachable" })
        const by = yield* principal()
        const started = yield* start(by, { ...CHAT_THEN_SMS, max_sends: 1 })
        assert.deepInclude(started, { channel: "sms", step: 2, sends_left: 0 })
        assert.deepStrictEqual(outcomesOf(started), ["chatgw undelivered", "sms accepted"])
        assert.strictEqual(started.attempts[0]?.reason, "NO_ACCOUNT")
      })
    )
  )

  it.effect("is taken at once when a receipt is bad, and that was paid for", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS_THEN_CALL)
        yield* world.sms.receipt(1, "undelivered")
        const after = yield* expectAttempts(by, started, ["sms undelivered", "call accepted"])
        assert.deepInclude(after, { channel: "call", step: 2, sends_left: 3 })
        assert.deepStrictEqual(yield* centsOf(by), { available: 993, held: 0 })
      })
    )
  )

  it.effect("is taken when nothing was heard until the time-out, with the same code", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, CHAT_THEN_SMS)
        assert.deepStrictEqual(started.next, { channel: "sms", at: "1970-01-01T00:00:30.000Z" })
        yield* TestClock.adjust("29 seconds")
        assert.strictEqual(world.sms.sends.length, 0)
        yield* TestClock.adjust("1 second")
        const after = yield* expectAttempts(by, started, ["chatgw revoked", "sms accepted"])
        assert.deepInclude(after, { channel: "sms", step: 2, next: null })
        assert.isTrue((yield* check(by, started, codeOf(world))).valid)
      })
    )
  )

  it.effect("is taken by no timer once a message was delivered or read, and by its client still", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        for (const status of ["delivered", "read"] as const) {
          const started = yield* start(by, { ...CHAT_THEN_SMS, purpose: status })
          yield* world.chat.status(`request-${world.chat.probes}`, status)
          const { next: upcoming } = yield* expectAttempts(by, started, ["chatgw delivered"])
          assert.isNull(upcoming)
        }
        yield* TestClock.adjust("9 minutes")
        assert.strictEqual(world.sms.sends.length, 0)
        const last = yield* start(by, { ...CHAT_THEN_SMS, purpose: "delivered" })
        assert.strictEqual(last.channel, "chatgw")
      })
    )
  )

  it.effect("after an outcome that is not known waits for the time-out", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        world.sms.answer = () => Effect.succeed(lost())
        const by = yield* principal()
        const started = yield* start(by, SMS_THEN_CALL)
        assert.deepStrictEqual(outcomesOf(started), ["sms unknown"])
        yield* TestClock.adjust("59 seconds")
        assert.strictEqual(world.trunk.calls.length, 0)
        yield* TestClock.adjust("1 second")
        yield* expectAttempts(by, started, ["sms unknown", "call accepted"])
        assert.isTrue((yield* check(by, started, codeOf(world))).valid)
      })
    )
  )

  it.effect("is left out where the balance cannot pay it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal("live", 0.04)
        const started = yield* start(by, CHAT_THEN_SMS)
        assert.strictEqual(started.channel, "chatgw")
        yield* TestClock.adjust("30 seconds")
        const after = yield* expectAttempts(by, started, ["chatgw accepted", "sms unpaid"])
        assert.deepInclude(after, { status: "pending", next: null })
        assert.strictEqual(world.sms.sends.length, 0)
      })
    )
  )

  it.effect("fails the verification when none is left, and none can have arrived", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        yield* world.sms.receipt(1, "failed")
        const after = yield* expectAttempts(by, started, ["sms undelivered"])
        assert.deepInclude(after, { status: "failed", reason: "undeliverable" })
      })
    )
  )

  it.effect("is not taken for the receipt of an earlier one, which its record has all the same", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS_THEN_CALL)
        yield* TestClock.adjust("60 seconds")
        const before = yield* expectAttempts(by, started, ["sms accepted", "call accepted"])
        yield* world.sms.receipt(1, "delivered")
        const after = yield* expectAttempts(by, started, ["sms delivered", "call accepted"])
        assert.deepStrictEqual({ ...after, attempts: [] }, { ...before, attempts: [] })
      })
    )
  )
})

describe("a client's next", () => {
  it.effect("is the next step, the same channel again, or a channel of the workflow", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS_THEN_CALL)
        const code = codeOf(world)
        const early = yield* Effect.flip(next(by, started))
        assert.deepInclude(early, { _tag: "TOO_MANY_REQUESTS", reason: "resend_too_soon", retryAfter: 30 })
        yield* TestClock.adjust("30 seconds")
        assert.deepInclude(yield* next(by, started, "sms"), { channel: "sms", sends_left: 3 })
        yield* TestClock.adjust("30 seconds")
        assert.deepInclude(yield* next(by, started), { channel: "call", sends_left: 2 })
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual((yield* Effect.flip(next(by, started)))._tag, "CONFLICT")
        assert.strictEqual((yield* Effect.flip(next(by, started, "bizchat")))._tag, "CONFLICT")
        assert.deepInclude(yield* next(by, started, "sms"), { channel: "sms", step: 1, sends_left: 1 })
        assert.strictEqual(codeOf(world), code)
      })
    )
  )

  it.effect("is a conflict once the verification has ended", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { ...CHAT_THEN_SMS, ttl: 60 })
        yield* cancel(by, started)
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual((yield* Effect.flip(next(by, started)))._tag, "CONFLICT")
      })
    )
  )

  it.effect("while the first outcome is not known sends the same code again", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { answer } = world.sms
        world.sms.answer = () => Effect.succeed(lost())
        const by = yield* principal()
        const started = yield* start(by, SMS)
        const code = codeOf(world)
        world.sms.answer = answer
        yield* TestClock.adjust("30 seconds")
        const again = yield* next(by, started, "sms")
        assert.deepStrictEqual(outcomesOf(again), ["sms unknown", "sms accepted"])
        assert.strictEqual(codeOf(world), code)
      })
    )
  )
})

describe("the price of a send by chat", () => {
  it.effect("has that of its probe in it, and both come back with a cancellation", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, CHAT_THEN_SMS)
        assert.deepStrictEqual(yield* centsOf(by), { available: 997, held: 0 })
        assert.strictEqual(started.attempts[0]?.price, 0.03)
        const canceled = yield* cancel(by, started)
        assert.strictEqual(canceled.attempts[0]?.price, 0)
        assert.deepStrictEqual(yield* centsOf(by), { available: 1000, held: 0 })
      })
    )
  )

  it.effect("is that of the probe where the message was refused, and what the next one adds to it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { answer } = world.chat
        world.chat.answer = () => Effect.succeed(refusal())
        const by = yield* principal()
        const started = yield* start(by, CHAT_THEN_SMS)
        assert.strictEqual(started.attempts[0]?.price, 0.01)
        world.chat.answer = answer
        yield* TestClock.adjust("30 seconds")
        const after = yield* next(by, started, "chatgw")
        assert.deepStrictEqual(
          after.attempts.map(({ price }) => price),
          [0.01, 0.05, 0.02]
        )
        assert.deepStrictEqual(yield* centsOf(by), { available: 992, held: 0 })
      })
    )
  )
})

describe("an unread chat message", () => {
  it.effect("is taken back when the next step is out, and its price comes back", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, CHAT_THEN_SMS)
        assert.deepStrictEqual(yield* centsOf(by), { available: 997, held: 0 })
        yield* TestClock.adjust("30 seconds")
        const after = yield* expectAttempts(by, started, ["chatgw revoked", "sms accepted"])
        assert.deepStrictEqual(world.chat.revoked, ["request-1"])
        assert.strictEqual(after.attempts[0]?.price, 0)
        assert.deepStrictEqual(yield* centsOf(by), { available: 995, held: 0 })
        assert.isTrue((yield* check(by, started, codeOf(world))).valid)
      })
    )
  )

  it.effect("stays where the next step was refused", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        world.sms.answer = () => Effect.succeed(refusal())
        const by = yield* principal()
        const started = yield* start(by, CHAT_THEN_SMS)
        yield* TestClock.adjust("30 seconds")
        yield* expectAttempts(by, started, ["chatgw accepted", "sms undelivered"])
        yield* settled
        assert.deepStrictEqual(world.chat.revoked, [])
      })
    )
  )

  it.effect("is taken back by a cancellation, whose answer has the price", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, CHAT_THEN_SMS)
        const canceled = yield* cancel(by, started)
        assert.deepInclude(canceled.attempts[0], { status: "revoked", price: 0 })
        assert.deepStrictEqual(yield* centsOf(by), { available: 1000, held: 0 })
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual(world.sms.sends.length, 0)
      })
    )
  )

  it.effect("that was read when it was taken back is paid, and its code is right", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        world.chat.isRead = true
        const by = yield* principal()
        const started = yield* start(by, CHAT_THEN_SMS)
        yield* TestClock.adjust("30 seconds")
        yield* expectAttempts(by, started, ["chatgw delivered", "sms accepted"])
        assert.deepStrictEqual(yield* centsOf(by), { available: 992, held: 0 })
        assert.isTrue((yield* check(by, started, codeOf(world))).valid)
      })
    )
  )
})

/** A start whose gateway has been asked and has not answered, and the verification meanwhile. */
const asked = Effect.fnUntraced(function* (
  by: Parameters<typeof start>[0],
  body: Parameters<typeof start>[1],
  sends: ReadonlyArray<unknown>
) {
  const starting = yield* Effect.forkChild(start(by, body))
  const { rows } = yield* eventually(list(by), () => sends.length > 0)
  return { starting, pending: rows[0] ?? assert.fail() }
})

describe("a verification that ends while a gateway is asked", () => {
  it.effect("takes back what the gateway has taken, and opens no further step", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const latch = yield* Latch.make()
        const { answer } = world.chat
        world.chat.answer = (message) => Effect.andThen(latch.await, answer(message))
        const by = yield* principal()
        const { pending, starting } = yield* asked(by, CHAT_THEN_SMS, world.chat.sends)
        yield* cancel(by, pending)
        yield* latch.open
        assert.deepInclude(yield* Fiber.join(starting), { status: "canceled", sends_left: 4 })
        yield* TestClock.adjust("60 seconds")
        assert.deepStrictEqual(world.chat.revoked, ["request-1"])
        assert.strictEqual(world.sms.sends.length, 0)
        assert.deepStrictEqual(yield* centsOf(by), { available: 1000, held: 0 })
      })
    )
  )

  it.effect("takes back a message that its gateway takes after the approval", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const latch = yield* Latch.make()
        const { answer } = world.chat
        world.chat.answer = (message) => Effect.andThen(latch.await, answer(message))
        const by = yield* principal()
        const { pending, starting } = yield* asked(by, { ...CHAT_THEN_SMS, code: "4242" }, world.chat.sends)
        assert.isTrue((yield* check(by, pending, "4242")).valid)
        yield* latch.open
        assert.deepInclude(yield* Fiber.join(starting), { status: "approved" })
        yield* expectAttempts(by, pending, ["chatgw revoked"])
        assert.deepStrictEqual(yield* centsOf(by), { available: 1000, held: 0 })
      })
    )
  )

  it.effect("opens no step for a refusal that comes after the end", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const latch = yield* Latch.make()
        world.sms.answer = () => Effect.as(latch.await, refusal())
        const by = yield* principal()
        const { pending, starting } = yield* asked(by, SMS_THEN_CALL, world.sms.sends)
        assert.isTrue((yield* check(by, pending, codeOf(world))).valid)
        yield* latch.open
        assert.deepInclude(yield* Fiber.join(starting), { status: "approved" })
        assert.strictEqual(world.trunk.calls.length, 0)
      })
    )
  )
})
