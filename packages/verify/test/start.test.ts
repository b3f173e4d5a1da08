import { assert, describe, it } from "@effect/vitest"
import { RequestId } from "@watchword/schemas/Ids"
import { BadRequest, TooManyRequests } from "@watchword/schemas/Errors"
import { accepted, rejected } from "@watchword/send/Outcome"
import { REASONS } from "@watchword/send/pipeline"
import { SendGuard, passed } from "@watchword/send/SendGuard"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import {
  CHAT_THEN_SMS,
  SMS,
  SMS_THEN_CALL,
  cancel,
  centsOf,
  check,
  codeOf,
  get,
  inWorld,
  list,
  next,
  number,
  principal,
  refusal,
  start,
  wrong
} from "./fixture.ts"

const requestId = RequestId.make("4f1b6f0e-8a39-4a4f-9a39-1f1f0f4f5b11")

describe("a start", () => {
  it.effect("sends a code by the first step, at its price, and answers without the code", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { ...SMS, client_ref: "user 7", metadata: { plan: "gold" } })
        const code = codeOf(world)
        assert.match(started.id, /^vrf_[0-9A-Z]{26}$/)
        assert.deepInclude(started, {
          to: number,
          country: "DE",
          purpose: "default",
          status: "pending",
          reason: null,
          channel: "sms",
          step: 1,
          next: null,
          sends_left: 4,
          checks_left: 5,
          approved_at: null,
          test_number: false,
          client_ref: "user 7",
          metadata: { plan: "gold" },
          created_at: "1970-01-01T00:00:00.000Z",
          expires_at: "1970-01-01T00:10:00.000Z",
          resend_at: "1970-01-01T00:00:30.000Z"
        })
        assert.deepInclude(started.attempts[0], { channel: "sms", status: "accepted", reason: null, price: 0.05 })
        assert.strictEqual(code.length, 6)
        assert.notInclude(JSON.stringify(started), code)
        assert.deepStrictEqual(yield* centsOf(by), { available: 995, held: 0 })
        assert.deepInclude(yield* get(by, started), started)
      })
    )
  )

  it.effect("keeps no code in the store, and leads from each send to its verification", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        const { delivery } = world.sms.sends[0] ?? assert.fail("nothing was sent")
        const key = { account: by.account.id, mode: by.mode, id: delivery }
        const record = yield* Effect.fromOption(yield* world.store.find({ ...key, channel: "sms" }))
        assert.deepInclude(record.details, { verification: started.id.slice(4), attempt: 0 })
        const page = yield* list(by)
        assert.strictEqual(page.total, 1)
        assert.notInclude(JSON.stringify([record, page]), codeOf(world))
      })
    )
  )

  it.effect("while one is pending sends the same code by its current channel, under the resend interval", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const first = yield* start(by, SMS)
        const code = codeOf(world)
        yield* TestClock.adjust("29 seconds")
        const early = yield* Effect.flip(start(by, CHAT_THEN_SMS))
        assert.deepInclude(early, { _tag: "TOO_MANY_REQUESTS", reason: "resend_too_soon", retryAfter: 1 })
        yield* TestClock.adjust("1 second")
        const again = yield* start(by, CHAT_THEN_SMS)
        assert.strictEqual(again.id, first.id)
        assert.deepInclude(again, { channel: "sms", sends_left: 3 })
        assert.strictEqual(codeOf(world), code)
        assert.strictEqual(world.sms.sends.length, 2)
      })
    )
  )

  it.effect("has no more sends than it was given", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* start(by, { ...SMS, max_sends: 2 })
        yield* TestClock.adjust("30 seconds")
        yield* start(by, SMS)
        yield* TestClock.adjust("30 seconds")
        const error = yield* Effect.flip(start(by, SMS))
        assert.deepInclude(error, { _tag: "TOO_MANY_REQUESTS", reason: "too_many_sends" })
        assert.strictEqual(world.sms.sends.length, 2)
      })
    )
  )

  it.effect("is another verification for another purpose, mode, number or account", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const other = yield* principal()
        const all = yield* Effect.forEach(
          [
            start(by, SMS),
            start(by, { ...SMS, purpose: "payment" }),
            start({ ...by, mode: "sandbox" }, SMS),
            start(by, { ...SMS, to: "+4915123456780" }),
            start(other, SMS)
          ],
          (started) => started
        )
        assert.strictEqual(new Set(all.map(({ id }) => id)).size, 5)
      })
    )
  )

  it.effect("begins anew once the one before it has ended, and once it has expired", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const first = yield* start(by, SMS)
        yield* check(by, first, codeOf(world))
        const second = yield* start(by, { ...SMS, ttl: 60 })
        assert.notStrictEqual(second.id, first.id)
        yield* TestClock.adjust("60 seconds")
        const third = yield* start(by, SMS)
        assert.notStrictEqual(third.id, second.id)
      })
    )
  )
})

describe("a start at once with another", () => {
  it.effect("is one verification: the other is a resend", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const both = yield* Effect.all([Effect.result(start(by, SMS)), Effect.result(start(by, SMS))], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(both.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
        assert.strictEqual(world.sms.sends.length, 1)
        assert.strictEqual((yield* list(by)).total, 1)
      })
    )
  )
})

describe("a repeated start", () => {
  it.effect("under its Idempotency-Key is answered the same, and is a conflict with another body", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const keys = { idempotencyKey: "key" }
        const first = yield* start(by, SMS, keys)
        assert.deepStrictEqual(yield* start(by, SMS, keys), first)
        const other = yield* Effect.flip(start(by, { ...SMS, ttl: 60 }, keys))
        assert.deepInclude(other, { _tag: "CONFLICT", reason: "key_reused" })
        assert.strictEqual(world.sms.sends.length, 1)
      })
    )
  )

  it.effect("that was a resend under its key is sent once", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* start(by, SMS)
        yield* TestClock.adjust("30 seconds")
        const again = yield* start(by, SMS, { idempotencyKey: "again" })
        assert.strictEqual(again.sends_left, 3)
        assert.deepStrictEqual(yield* start(by, SMS, { idempotencyKey: "again" }), again)
        yield* TestClock.adjust("30 seconds")
        assert.deepStrictEqual(yield* start(by, SMS, { idempotencyKey: "again" }), again)
        const other = yield* Effect.flip(start(by, CHAT_THEN_SMS, { idempotencyKey: "again" }))
        assert.strictEqual(other._tag, "CONFLICT")
        assert.strictEqual(world.sms.sends.length, 2)
      })
    )
  )

  it.effect("under the key of one that failed is answered with the failure again", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        world.sms.answer = () => Effect.succeed(refusal())
        const by = yield* principal()
        const keys = { idempotencyKey: "key" }
        const first = yield* Effect.flip(start(by, SMS, keys))
        assert.deepStrictEqual(yield* Effect.flip(start(by, SMS, keys)), first)
        assert.strictEqual(world.sms.sends.length, 1)
      })
    )
  )

  it.effect("under its x-request-id is refused after a success, and made again after a failure", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { answer } = world.sms
        world.sms.answer = () => Effect.succeed(refusal())
        const by = yield* principal()
        yield* Effect.flip(start(by, SMS, { requestId }))
        world.sms.answer = answer
        const started = yield* start(by, SMS, { requestId })
        assert.strictEqual(started.status, "pending")
        const other = RequestId.make("4f1b6f0e-8a39-4a4f-9a39-1f1f0f4f5b12")
        yield* start(by, { ...SMS, purpose: "payment" }, { requestId: other })
        const error = yield* Effect.flip(start(by, { ...SMS, purpose: "payment" }, { requestId: other }))
        assert.strictEqual(error._tag, "CONFLICT")
      })
    )
  )
})

describe("a start of which no step could be opened", () => {
  it.effect("fails with 402 where the balance is too small, and is no longer pending", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal("live", 0)
        const error = yield* Effect.flip(start(by, SMS))
        assert.strictEqual(error._tag, "PAYMENT_REQUIRED")
        const { rows } = yield* list(by)
        assert.deepInclude(rows[0], { status: "failed", reason: "undeliverable", next: null })
        assert.deepInclude(rows[0]?.attempts[0], { status: "unpaid", delivery_id: null, price: 0 })
        assert.strictEqual(world.sms.sends.length, 0)
      })
    )
  )

  it.effect("fails with 480 where each gateway has refused, and another start begins anew", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { answer } = world.sms
        world.sms.answer = () => Effect.succeed(refusal())
        world.chat.probe = () => Effect.succeed({ _tag: "Unreachable" })
        const by = yield* principal()
        const error = yield* Effect.flip(start(by, CHAT_THEN_SMS))
        assert.strictEqual(error._tag, "TEMPORARY_UNAVAILABLE")
        assert.deepStrictEqual(yield* centsOf(by), { available: 1000, held: 0 })
        world.sms.answer = answer
        assert.deepInclude(yield* start(by, SMS), { status: "pending", sends_left: 4 })
      })
    )
  )

  it.effect("fails with 400 where each gateway says that the number is none", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const issues = [{ path: "to", message: "is not a number that the carrier can deliver to" }]
        const refused = new BadRequest({ message: "The carrier refused the message.", issues })
        world.sms.answer = () => Effect.succeed(rejected(refused))
        const by = yield* principal()
        const error = yield* Effect.flip(start(by, SMS))
        assert(error._tag === "BAD_REQUEST")
        assert.deepStrictEqual(
          error.issues?.map(({ path }) => path),
          ["to"]
        )
        world.chat.probe = () => Effect.succeed({ _tag: "Unreachable" })
        assert.strictEqual((yield* Effect.flip(start(by, CHAT_THEN_SMS)))._tag, "BAD_REQUEST")
        const sender = new BadRequest({ message: "refused", issues: [{ path: "from", message: "is no sender" }] })
        world.sms.answer = () => Effect.succeed(rejected(sender))
        assert.strictEqual((yield* Effect.flip(start(by, SMS)))._tag, "SERVICE_UNAVAILABLE")
        world.sms.answer = () => Effect.succeed(accepted(["sms-1"]))
        assert.deepInclude(yield* start(by, CHAT_THEN_SMS), { channel: "sms", step: 2 })
      })
    )
  )

  it.effect("fails with 503 at once where the links of its only channel have been down for some seconds", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const window = { used: 0, size: 10 }
        const [one, other] = [
          { name: "one", up: false, window },
          { name: "other", up: false, window }
        ]
        world.sms.links = [one, other]
        const by = yield* principal()
        const waiting = { ...SMS, purpose: "waiting" }
        yield* start(by, waiting)
        assert.strictEqual(world.sms.sends.length, 1)
        yield* TestClock.adjust("7 seconds")
        assert.strictEqual((yield* Effect.flip(start(by, SMS)))._tag, "SERVICE_UNAVAILABLE")
        const steps = [...SMS.workflow, ...CHAT_THEN_SMS.workflow]
        const passed = yield* start(by, { workflow: steps })
        assert.deepInclude(passed, { channel: "chatgw", step: 2 })
        assert.deepInclude(passed.attempts[0], { channel: "sms", status: "undelivered", price: 0 })
        assert.strictEqual(world.sms.sends.length, 1)
        other.up = true
        yield* TestClock.adjust("1 second")
        assert.deepInclude(yield* start(by, { ...SMS, purpose: "login" }), { channel: "sms" })
        // It was unavailable only for a moment.
        other.up = false
        yield* TestClock.adjust("2 seconds")
        yield* start(by, { ...SMS, purpose: "order" })
        assert.strictEqual(world.sms.sends.length, 3)
      })
    )
  )

  it.effect("fails with 503 where no channel of it has a gateway", () =>
    inWorld(
      () =>
        Effect.gen(function* () {
          const by = yield* principal()
          assert.strictEqual((yield* Effect.flip(start(by, SMS)))._tag, "SERVICE_UNAVAILABLE")
          assert.strictEqual((yield* Effect.flip(start(by)))._tag, "SERVICE_UNAVAILABLE")
        }),
      { live: [] }
    )
  )
})

describe("deliver mode", () => {
  const own = { ...SMS, code: "4242" }

  it.effect("sends the client's code, which a check approves, and forgets it at the end", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, own)
        assert.strictEqual(codeOf(world), "4242")
        yield* TestClock.adjust("30 seconds")
        yield* start(by, own)
        assert.strictEqual(codeOf(world), "4242")
        const key = { account: by.account.id, mode: by.mode, channel: "verify" }
        const { rows } = yield* world.store.list({
          ...key,
          where: [],
          sort: { field: "createdAt", direction: "DESC" },
          offset: 0,
          limit: 1
        })
        assert.isString(rows[0]?.details["sealed"])
        assert.notMatch(JSON.stringify(rows), /\b4242\b/)
        assert.deepInclude(yield* check(by, started, "4242"), { valid: true, status: "approved" })
        const after = yield* world.store.list({
          ...key,
          where: [],
          sort: { field: "createdAt", direction: "DESC" },
          offset: 0,
          limit: 1
        })
        assert.isNull(after.rows[0]?.details["sealed"])
      })
    )
  )

  it.effect("is a conflict with another code while one is pending, and with any beside a code of the service", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* start(by, own)
        assert.strictEqual((yield* Effect.flip(start(by, { ...SMS, code: "4243" })))._tag, "CONFLICT")
        yield* start(by, { ...SMS, purpose: "payment" })
        yield* TestClock.adjust("30 seconds")
        // A start must not help to guess a code.
        const guess = start(by, { ...SMS, purpose: "payment", code: codeOf(world) })
        assert.strictEqual((yield* Effect.flip(guess))._tag, "CONFLICT")
      })
    )
  )
})

describe("a code of 9 or 10 digits", () => {
  it.effect("leaves over the channels that carry it, and a longer entry of another code takes no check", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const long = yield* start(by, { ...CHAT_THEN_SMS, code_length: 10 })
        assert.strictEqual(long.channel, "sms")
        assert.match(codeOf(world), /^\d{10}$/)
        assert.isTrue((yield* check(by, long, codeOf(world))).valid)
        const own = yield* start(by, { ...SMS, code: "0123456789", purpose: "own" })
        assert.isTrue((yield* check(by, own, "0123456789")).valid)
        const usual = yield* start(by, { ...SMS, purpose: "usual" })
        assert.strictEqual((yield* Effect.flip(check(by, usual, "123456789")))._tag, "BAD_REQUEST")
        assert.strictEqual((yield* get(by, usual)).checks_left, 5)
        const calls = { workflow: [{ channel: "call", timeout: 60 }], code_length: 9, purpose: "calls" } as const
        assert.strictEqual((yield* Effect.flip(start(by, calls)))._tag, "BAD_REQUEST")
      })
    )
  )
})

describe("a start that switches the channel", () => {
  const CHAT = { workflow: [{ channel: "chatgw", timeout: 900 }] }
  const switched = { ...SMS, switch_channel: true }

  it.effect("sends the pending code by the other channel, and keeps its budgets", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const first = yield* start(by, CHAT)
        const code = Redacted.value(world.chat.sends.at(-1)?.code ?? Redacted.make(""))
        yield* check(by, first, wrong(code))
        assert.deepInclude(yield* Effect.flip(start(by, switched)), { reason: "resend_too_soon" })
        yield* TestClock.adjust("30 seconds")
        const second = yield* start(by, switched)
        assert.deepInclude(second, { id: first.id, channel: "sms", step: 2, sends_left: 3, checks_left: 4, next: null })
        assert.strictEqual(codeOf(world), code)
        yield* TestClock.adjust("30 seconds")
        const third = yield* start(by, { ...CHAT, switch_channel: true })
        assert.deepInclude(third, { id: first.id, channel: "chatgw", step: 1, sends_left: 2 })
        assert.deepStrictEqual(
          third.attempts.map(({ channel }) => channel),
          ["chatgw", "sms", "chatgw"]
        )
      })
    )
  )

  it.effect("starts one where none is pending, and without the field stays on its channel", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const first = yield* start(by, switched)
        assert.strictEqual(first.channel, "sms")
        yield* TestClock.adjust("30 seconds")
        assert.deepInclude(yield* start(by, CHAT), { id: first.id, channel: "sms", step: 1 })
      })
    )
  )

  it.effect("sends once for one key, and has no more sends than the pending one", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const first = yield* start(by, { ...CHAT, max_sends: 2 })
        yield* TestClock.adjust("30 seconds")
        const second = yield* start(by, switched, { idempotencyKey: "a" })
        assert.deepStrictEqual(yield* start(by, switched, { idempotencyKey: "a" }), second)
        assert.deepInclude(second, { id: first.id, sends_left: 0 })
        yield* TestClock.adjust("30 seconds")
        assert.deepInclude(yield* Effect.flip(start(by, { ...CHAT, switch_channel: true })), {
          reason: "too_many_sends"
        })
      })
    )
  )
})

describe("a start that replaces", () => {
  const own = { ...CHAT_THEN_SMS, code: "4242", replace: true }

  it.effect("ends the pending verification, of which nothing more is sent, and sends its own code", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const first = yield* start(by, own)
        yield* TestClock.adjust("30 seconds")
        const second = yield* start(by, { ...SMS, code: "4343", replace: true })
        assert.notStrictEqual(second.id, first.id)
        assert.strictEqual(codeOf(world), "4343")
        assert.strictEqual((yield* get(by, first)).status, "canceled")
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(world.chat.sends.length, 1)
        assert.isTrue((yield* check(by, { to: number }, "4343")).valid)
      })
    )
  )

  it.effect("with the pending code sends that again, and keeps its budgets", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const first = yield* start(by, own)
        yield* TestClock.adjust("29 seconds")
        assert.deepInclude(yield* Effect.flip(start(by, own)), { reason: "resend_too_soon" })
        const other = yield* Effect.flip(start(by, { ...own, code: "4343" }))
        assert.deepInclude(other, { _tag: "TOO_MANY_REQUESTS", reason: "resend_too_soon", retryAfter: 1 })
        assert.strictEqual((yield* get(by, first)).status, "pending")
      })
    )
  )

  it.effect("replaces a code of the service too, and compares it with none", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const first = yield* start(by, SMS)
        yield* TestClock.adjust("30 seconds")
        const second = yield* start(by, { ...SMS, code: codeOf(world), replace: true })
        assert.notStrictEqual(second.id, first.id)
      })
    )
  )

  it.effect("makes a new code of the service, and the earlier code is right no more", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const first = yield* start(by, { ...SMS, replace: true }, { idempotencyKey: "a" })
        const before = codeOf(world)
        const early = yield* Effect.flip(start(by, { ...SMS, replace: true }))
        assert.deepInclude(early, { _tag: "TOO_MANY_REQUESTS", reason: "resend_too_soon", retryAfter: 30 })
        assert.strictEqual((yield* start(by, { ...SMS, replace: true }, { idempotencyKey: "a" })).id, first.id)
        yield* TestClock.adjust("30 seconds")
        const second = yield* start(by, { ...SMS, replace: true })
        assert.notStrictEqual(codeOf(world), before)
        assert.strictEqual((yield* get(by, first)).status, "canceled")
        assert.isFalse((yield* check(by, first, before)).valid)
        assert.isFalse((yield* check(by, second, before)).valid)
        assert.isTrue((yield* check(by, { to: number }, codeOf(world))).valid)
      })
    )
  )

  it.effect("at once with another leaves one verification pending", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* start(by, { ...SMS, code: "4242" })
        yield* TestClock.adjust("30 seconds")
        const codes = ["1111", "2222", "3333"]
        const all = yield* Effect.forEach(codes, (code) => Effect.result(start(by, { ...SMS, code, replace: true })), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(all.map(({ _tag }) => _tag).toSorted(), ["Failure", "Failure", "Success"])
        assert.strictEqual((yield* list(by, { filter: { status: "pending" } })).total, 1)
        assert.strictEqual(world.sms.sends.length, 2)
      })
    )
  )

  it.effect("is one request to a guard", () => {
    let asked = 0
    const counting = Effect.provideService(SendGuard, {
      check: ({ requests }) => Effect.sync(() => ((asked += requests), passed)),
      verified: () => Effect.void,
      unsent: () => Effect.void
    })
    return counting(
      inWorld(() =>
        Effect.gen(function* () {
          const by = yield* principal()
          yield* start(by, own)
          yield* TestClock.adjust("30 seconds")
          yield* start(by, { ...own, code: "4343" })
          assert.strictEqual(asked, 2)
        })
      )
    )
  })
})

describe("a guard", () => {
  /** A guard that allows everything, and the rest of its limits. */
  const counting = () => {
    const counted = new Set<number>()
    let asked = 0
    const noting = Effect.provideService(SendGuard, {
      check: ({ requests }) =>
        Effect.sync(() => {
          if (requests === 0) return passed
          counted.add(++asked)
          return { ...passed, counted: { requests: [{ key: "a", until: asked, amount: 1 }], money: [] } }
        }),
      verified: () => Effect.void,
      unsent: (taken) => Effect.sync(() => taken.forEach(({ until }) => counted.delete(until)))
    })
    return { counted, noting }
  }

  it.effect("counts a start only where something was sent", () => {
    const { counted, noting } = counting()
    return noting(
      inWorld((world) =>
        Effect.gen(function* () {
          const by = yield* principal()
          const keys = { idempotencyKey: "a", requestId }
          const refused = (more: object, reason: string, keys = {}) =>
            Effect.map(Effect.flip(start(by, { ...SMS, ...more }, keys)), (error) =>
              assert.strictEqual("reason" in error ? error.reason : error._tag, reason)
            )
          yield* start(by, { ...SMS, code: "4242", max_sends: 2 }, keys)
          assert.strictEqual(counted.size, 1)
          yield* start(by, { ...SMS, code: "4242", max_sends: 2 }, keys)
          yield* refused({ code: "4343" }, "key_reused", keys)
          yield* refused({ code: "4242", max_sends: 2 }, "duplicate_request", { requestId })
          yield* refused({ code: "4242" }, "resend_too_soon")
          yield* refused({ code: "4343" }, "other_code")
          yield* refused({ code: "4343", replace: true }, "resend_too_soon")
          assert.strictEqual(counted.size, 1)
          yield* TestClock.adjust("30 seconds")
          yield* start(by, { ...SMS, code: "4242" }, { idempotencyKey: "b" })
          assert.strictEqual(counted.size, 2)
          yield* start(by, { ...SMS, code: "4242" }, { idempotencyKey: "b" })
          yield* TestClock.adjust("30 seconds")
          yield* refused({ code: "4242" }, "too_many_sends")
          assert.strictEqual(counted.size, 2)
          world.sms.answer = () => Effect.succeed(refusal())
          yield* refused({ to: "+4915123456700" }, "TEMPORARY_UNAVAILABLE")
          yield* refused({ to: "+4915123456700", workflow: CHAT_THEN_SMS.workflow.slice(1) }, "TEMPORARY_UNAVAILABLE")
          assert.strictEqual(counted.size, 2)
          const poor = yield* principal("live", 0)
          assert.strictEqual((yield* Effect.flip(start(poor, SMS)))._tag, "PAYMENT_REQUIRED")
          assert.strictEqual(counted.size, 2)
        })
      )
    )
  })

  it.effect("counts a resend that every gateway refuses as nothing", () => {
    const { counted, noting } = counting()
    return noting(
      inWorld((world) =>
        Effect.gen(function* () {
          const by = yield* principal()
          yield* start(by, SMS)
          yield* TestClock.adjust("30 seconds")
          world.sms.answer = () => Effect.succeed(refusal())
          const { status } = yield* start(by, SMS)
          assert.strictEqual(status, "pending")
          assert.strictEqual(counted.size, 1)
        })
      )
    )
  })

  it.effect("is asked about what a client has sent again, by next as by a start, once it would be sent", () => {
    const { counted, noting } = counting()
    return noting(
      inWorld((world) =>
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, { ...SMS_THEN_CALL, max_sends: 3 })
          const soon = yield* Effect.flip(next(by, started, "sms"))
          assert.deepInclude(soon, { _tag: "TOO_MANY_REQUESTS", reason: "resend_too_soon" })
          assert.strictEqual((yield* Effect.flip(next(by, started, "chatgw")))._tag, "CONFLICT")
          assert.strictEqual(counted.size, 1)
          yield* TestClock.adjust("30 seconds")
          yield* next(by, started, "sms")
          assert.strictEqual(counted.size, 2)
          yield* TestClock.adjust("30 seconds")
          yield* next(by, started)
          assert.deepStrictEqual([counted.size, world.trunk.calls.length], [3, 1])
          yield* cancel(by, started)
          assert.strictEqual((yield* Effect.flip(next(by, started, "sms")))._tag, "CONFLICT")
          assert.strictEqual(counted.size, 3)
        })
      )
    )
  })

  it.effect("that refuses another code leaves the pending one as it is, though it were to replace it", () => {
    let refuses = false
    const failure = new TooManyRequests({ message: "Too many.", reason: "limit_number", retryAfter: 60 })
    const guarded = Effect.provideService(SendGuard, {
      check: () => Effect.sync(() => (refuses ? { _tag: "Refused", failure, details: {} } : passed)),
      verified: () => Effect.void,
      unsent: () => Effect.die("nothing was counted")
    })
    return guarded(
      inWorld(() =>
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, { ...SMS, code: "4242" })
          refuses = true
          const another = start(by, { ...SMS, code: "4343", replace: true })
          assert.deepInclude(yield* Effect.flip(another), { reason: "resend_too_soon" })
          yield* TestClock.adjust("30 seconds")
          assert.strictEqual(yield* Effect.flip(another), failure)
          assert.deepStrictEqual(yield* get(by, started), started)
        })
      )
    )
  })

  it.effect("that refuses what is sent again has the verification as it was", () => {
    let refuses = false
    const failure = new TooManyRequests({ message: "Too many.", reason: "limit_number", retryAfter: 60 })
    const guarded = Effect.provideService(SendGuard, {
      check: () => Effect.sync(() => (refuses ? { _tag: "Refused", failure, details: {} } : passed)),
      verified: () => Effect.void,
      unsent: () => Effect.die("nothing was counted")
    })
    return guarded(
      inWorld((world) =>
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, SMS)
          refuses = true
          assert.deepInclude(yield* Effect.flip(start(by, SMS)), { reason: "resend_too_soon" })
          yield* TestClock.adjust("30 seconds")
          assert.strictEqual(yield* Effect.flip(next(by, started, "sms")), failure)
          assert.deepStrictEqual(yield* get(by, started), started)
          assert.strictEqual(yield* Effect.flip(start(by, SMS)), failure)
          assert.deepStrictEqual(yield* get(by, started), started)
          assert.strictEqual((yield* list(by, { filter: { status: "blocked" } })).total, 1)
          assert.strictEqual(world.sms.sends.length, 1)
        })
      )
    )
  })

  const failure = new TooManyRequests({ message: "Too many.", reason: "limit_number", retryAfter: 60 })
  const guarded = Effect.provideService(SendGuard, {
    check: () => Effect.succeed({ _tag: "Refused", failure, details: { [REASONS]: "limit_number" } } as const),
    verified: () => Effect.void,
    unsent: () => Effect.void
  })

  it.effect("that refuses leaves a record that is blocked, and sends nothing", () =>
    guarded(
      inWorld((world) =>
        Effect.gen(function* () {
          const by = yield* principal()
          assert.strictEqual(yield* Effect.flip(start(by, SMS)), failure)
          assert.strictEqual(yield* Effect.flip(start(by, SMS)), failure)
          const { rows, total } = yield* list(by, { filter: { status: "blocked" } })
          assert.strictEqual(total, 2)
          assert.deepInclude(rows[0], { status: "blocked", reason: "limit_number", attempts: [], next: null })
          assert.strictEqual((yield* Effect.flip(check(by, { to: number }, "123456")))._tag, "NOT_FOUND")
          assert.strictEqual(world.sms.sends.length, 0)
        })
      )
    )
  )
})
