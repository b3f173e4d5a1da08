import { assert, describe, it } from "@effect/vitest"
import { Settings } from "@watchword/store/Settings"
import * as VerifySettings from "../src/internal/VerifySettings.ts"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { SMS, check, codeOf, get, inWorld, principal, start, textOf } from "./fixture.ts"

const bind = { amount: "39.99 EUR", payee: "Acme Books" }

describe("a verification of a payment", () => {
  it.effect("is approved by its code with the same amount and payee only", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { ...SMS, bind })
        assert.deepStrictEqual(started.bind, bind)
        const others = [undefined, { ...bind, amount: "39.90 EUR" }, { ...bind, payee: "Acme" }]
        for (const [index, other] of others.entries()) {
          const answer = yield* check(by, started, codeOf(world), {}, other)
          assert.deepInclude(answer, {
            valid: false,
            status: "pending",
            reason: "bind_mismatch",
            checks_left: 4 - index
          })
        }
        const wrong = yield* check(by, started, "0000000000".slice(0, codeOf(world).length), {}, bind)
        assert.notProperty(wrong, "reason")
        assert.deepInclude(yield* check(by, started, codeOf(world), {}, bind), { valid: true, status: "approved" })
        assert.deepStrictEqual((yield* get(by, started)).bind, bind)
      })
    )
  )

  it.effect("answers a repeated check as the first, and takes one check for both", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { ...SMS, bind })
        const keys = { idempotencyKey: "a" }
        const first = yield* check(by, started, codeOf(world), keys)
        assert.deepStrictEqual(yield* check(by, started, codeOf(world), keys), first)
        assert.strictEqual(first.reason, "bind_mismatch")
        assert.strictEqual((yield* get(by, started)).checks_left, 4)
        const reused = yield* Effect.flip(check(by, started, codeOf(world), keys, bind))
        assert.deepInclude(reused, { _tag: "CONFLICT", reason: "key_reused" })
      })
    )
  )

  it.effect("ends without an approval once its checks are used up", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { ...SMS, bind, max_checks: 1 })
        const answer = yield* check(by, started, codeOf(world))
        assert.deepInclude(answer, { valid: false, status: "failed", checks_left: 0, reason: "bind_mismatch" })
        assert.strictEqual((yield* get(by, started)).status, "failed")
      })
    )
  )

  it.effect("is not taken for one without a payment", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const plain = yield* start(by, SMS)
        assert.notProperty(plain, "bind")
        assert.strictEqual((yield* check(by, plain, codeOf(world), {}, bind)).reason, "bind_mismatch")
        assert.isTrue((yield* check(by, plain, codeOf(world))).valid)
      })
    )
  )

  it.effect("is not sent again for another payment, which may replace it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const first = yield* start(by, { ...SMS, bind })
        yield* TestClock.adjust("30 seconds")
        for (const other of [{}, { bind: { ...bind, amount: "3999 EUR" } }]) {
          const refused = yield* Effect.flip(start(by, { ...SMS, ...other }))
          assert.deepInclude(refused, { _tag: "CONFLICT", reason: "other_bind" })
        }
        assert.strictEqual((yield* start(by, { ...SMS, bind })).id, first.id)
        const before = codeOf(world)
        const payment = { ...bind, amount: "3999 EUR" }
        const second = yield* start(by, { ...SMS, bind: payment, replace: true })
        assert.notStrictEqual(second.id, first.id)
        assert.notStrictEqual(codeOf(world), before)
        assert.isTrue((yield* check(by, { to: second.to }, codeOf(world), {}, payment)).valid)
      })
    )
  )

  it.effect("has its payment in the text of a template, and refuses one that is too long for it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const settings = yield* Settings
        yield* settings.set(null, VerifySettings.templates.of("payment:en"), "{{code}} pays {{amount}} to {{payee}}.")
        yield* start(by, { ...SMS, template: "payment", bind })
        assert.strictEqual(textOf(world), `${codeOf(world)} pays 39.99 EUR to Acme Books.`)
        const long = { amount: "1", payee: "\u20ac".repeat(100) }
        const refused = (more: object) =>
          Effect.map(Effect.flip(start(by, { ...SMS, template: "payment", purpose: "b", ...more })), (error) =>
            "issues" in error ? error.issues?.map(({ path }) => path) : error._tag
          )
        assert.deepStrictEqual(yield* refused({ bind: long }), ["bind"])
        assert.deepStrictEqual(yield* refused({ bind, variables: { amount: "1 EUR" } }), ["variables.amount"])
      })
    )
  )
})
