import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { SMS, cancel, check, codeOf, get, inWorld, number, principal, report, start, wrong } from "./fixture.ts"

describe("a check", () => {
  it.effect("approves the right code, and is a conflict after that", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        yield* TestClock.adjust("5 seconds")
        const answer = yield* check(by, started, codeOf(world))
        assert.deepStrictEqual(answer, {
          valid: true,
          status: "approved",
          checks_left: 4,
          verification_id: started.id,
          channel: "sms"
        })
        assert.deepInclude(yield* get(by, started), { status: "approved", approved_at: "1970-01-01T00:00:05.000Z" })
        assert.strictEqual((yield* Effect.flip(check(by, started, codeOf(world))))._tag, "CONFLICT")
      })
    )
  )

  it.effect("takes the code with spaces and hyphens as it was pasted", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const pasted = [
          (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `,
          (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`,
          (code: string) => `${code.slice(0, 2)}\u00a0${code.slice(2, 4)}\u202f${code.slice(4)}\u2011`
        ]
        for (const [index, paste] of pasted.entries()) {
          const started = yield* start(by, { ...SMS, purpose: `p${index}` })
          assert.isTrue((yield* check(by, started, paste(codeOf(world)))).valid)
        }
      })
    )
  )

  it.effect("of a wrong code is no error, and the last one fails the verification", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { ...SMS, max_checks: 2 })
        const bad = wrong(codeOf(world))
        assert.deepInclude(yield* check(by, started, bad), { valid: false, status: "pending", checks_left: 1 })
        assert.deepInclude(yield* check(by, started, bad), { valid: false, status: "failed", checks_left: 0 })
        assert.deepInclude(yield* get(by, started), { status: "failed", reason: "max_checks", next: null })
        const error = yield* Effect.flip(check(by, started, codeOf(world)))
        assert.deepInclude(error, { _tag: "TOO_MANY_REQUESTS", reason: "no_checks_left" })
        assert.notProperty(error, "retryAfter")
      })
    )
  )

  it.effect("by the number is about the last verification of its purpose", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const subject = { to: number }
        assert.strictEqual((yield* Effect.flip(check(by, subject, "123456")))._tag, "NOT_FOUND")
        const first = yield* start(by, SMS)
        yield* start(by, { ...SMS, purpose: "payment" })
        yield* cancel(by, first)
        assert.deepInclude(yield* check(by, subject, "123456"), { valid: false, status: "canceled" })
        const second = yield* start(by, SMS)
        const code = codeOf(world)
        const other = yield* check(by, { ...subject, purpose: "payment" }, code)
        assert.notStrictEqual(other.verification_id, second.id)
        assert.deepInclude(yield* check(by, subject, code), { valid: true, verification_id: second.id })
      })
    )
  )

  it.effect("of another account or mode is 404", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        const others = [yield* principal(), { ...by, mode: "sandbox" as const }]
        for (const other of others) {
          for (const subject of [started, { to: number }]) {
            assert.strictEqual((yield* Effect.flip(check(other, subject, codeOf(world))))._tag, "NOT_FOUND")
          }
          assert.strictEqual((yield* Effect.flip(get(other, started)))._tag, "NOT_FOUND")
        }
      })
    )
  )

  it.effect("at the very time of the expiry finds it expired, and spends nothing", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal("sandbox")
        const started = yield* start(by, { ...SMS, to: "+4915123450001", ttl: 60, code: "4242" })
        yield* TestClock.adjust("60 seconds")
        const answer = yield* check(by, started, "4242")
        assert.deepInclude(answer, { valid: false, status: "expired", checks_left: 5 })
        assert.strictEqual(world.sms.sends.length, 0)
      })
    )
  )
})

describe("checks at once", () => {
  /** The status that a check answers, or the code of its error. */
  const kindOf = (answer: Result.Result<{ readonly status: string }, { readonly _tag: string }>): string =>
    Result.isSuccess(answer) ? answer.success.status : answer.failure._tag

  it.effect("with the right code are one approval: the others are conflicts", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        const guess = Effect.result(check(by, started, codeOf(world)))
        const answers = yield* Effect.all([guess, guess, guess], { concurrency: "unbounded" })
        assert.deepStrictEqual(answers.map(kindOf).toSorted(), ["CONFLICT", "CONFLICT", "approved"])
      })
    )
  )

  it.effect("are no more than there are guesses", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        const guess = Effect.result(check(by, started, wrong(codeOf(world))))
        const answers = yield* Effect.all(
          Array.from({ length: 20 }, () => guess),
          { concurrency: "unbounded" }
        )
        const refused = Array.from({ length: 15 }, () => "TOO_MANY_REQUESTS")
        assert.deepStrictEqual(answers.map(kindOf).toSorted(), [
          ...refused,
          "failed",
          "pending",
          "pending",
          "pending",
          "pending"
        ])
      })
    )
  )
})

describe("a repeated check", () => {
  const keys = { idempotencyKey: "key" }

  it.effect("under its Idempotency-Key is the first answer again, after an approval too", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        const first = yield* check(by, started, codeOf(world), keys)
        assert.isTrue(first.valid)
        assert.deepStrictEqual(yield* check(by, started, codeOf(world), keys), first)
        assert.strictEqual((yield* Effect.flip(check(by, started, codeOf(world))))._tag, "CONFLICT")
      })
    )
  )

  it.effect("of a wrong code spends no guess, and another code under the key is a conflict", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        const bad = wrong(codeOf(world))
        const first = yield* check(by, started, bad, keys)
        yield* check(by, started, bad)
        assert.deepStrictEqual(yield* check(by, started, bad, keys), first)
        assert.strictEqual((yield* Effect.flip(check(by, started, codeOf(world), keys)))._tag, "CONFLICT")
        assert.strictEqual((yield* get(by, started)).checks_left, 3)
      })
    )
  )

  it.effect("at once with the first spends one guess", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        const guess = check(by, started, wrong(codeOf(world)), keys)
        const [first, second] = yield* Effect.all([guess, guess], { concurrency: "unbounded" })
        assert.deepStrictEqual(first, second)
        assert.strictEqual((yield* get(by, started)).checks_left, 4)
      })
    )
  )
})

describe("an end by the client", () => {
  it.effect("cancels, again too, and not what is approved", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, SMS)
        const canceled = yield* cancel(by, started)
        assert.deepInclude(canceled, { status: "canceled", next: null })
        assert.deepStrictEqual(yield* cancel(by, started), canceled)
        assert.deepInclude(yield* check(by, started, codeOf(world)), { valid: false, status: "canceled" })
        const second = yield* start(by, SMS)
        yield* check(by, second, codeOf(world))
        assert.strictEqual((yield* Effect.flip(cancel(by, second)))._tag, "CONFLICT")
      })
    )
  )

  it.effect("reports an outcome, again too, and does not contradict one", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { ...SMS, code: "4242" })
        const reported = yield* report(by, started, "approved")
        assert.deepInclude(reported, { status: "approved", approved_at: "1970-01-01T00:00:00.000Z" })
        assert.deepStrictEqual(yield* report(by, started, "approved"), reported)
        assert.strictEqual((yield* Effect.flip(report(by, started, "failed")))._tag, "CONFLICT")
        const second = yield* start(by, SMS)
        assert.deepInclude(yield* report(by, second, "failed"), { status: "failed", reason: "reported" })
      })
    )
  )

  it.effect("comes too late at the time of the expiry", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { ...SMS, ttl: 60 })
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual((yield* Effect.flip(report(by, started, "approved")))._tag, "CONFLICT")
        assert.deepInclude(yield* cancel(by, started), { status: "expired" })
      })
    )
  )

  it.effect("of a verification that does not exist is 404", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        for (const id of ["vrf_01KAJ3T8ZZ0000000000000000", "01KAJ3T8ZZ0000000000000000", ""]) {
          const none = { id }
          assert.strictEqual((yield* Effect.flip(cancel(by, none)))._tag, "NOT_FOUND")
          assert.strictEqual((yield* Effect.flip(report(by, none, "failed")))._tag, "NOT_FOUND")
          assert.strictEqual((yield* Effect.flip(get(by, none)))._tag, "NOT_FOUND")
        }
      })
    )
  )
})
