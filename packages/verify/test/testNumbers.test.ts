import { assert, describe, it } from "@effect/vitest"
import type { Principal } from "@watchword/schemas/Account"
import * as TestNumbers from "../src/operator/TestNumbers.ts"
import * as Settings from "@watchword/store/Settings"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { testNumbers } from "../src/internal/VerifySettings.ts"
import { SMS, check, codeOf, get, inWorld, number, principal, start, wrong } from "./fixture.ts"

const DAY = 86_400_000
const CODE = "424242"

const add = (by: Principal, anyway = false) =>
  TestNumbers.add(by.account.id, { number, code: CODE, until: new Date(30 * DAY) }, anyway)

/** Wrong guesses over as many verifications as it takes, until one is refused. */
const guesses = (by: Principal, most: number) =>
  Effect.gen(function* () {
    let made = 0
    for (let round = 0; made < most; round++) {
      const started = yield* start(by, { ...SMS, purpose: `p${round}-${most}` })
      for (let left = 5; left > 0 && made < most; left--) {
        const answer = yield* Effect.result(check(by, started, wrong(CODE)))
        if (Result.isFailure(answer)) return { made, error: answer.failure }
        made++
      }
    }
    return { made, error: null }
  })

describe("a test number", () => {
  it.effect("has twenty wrong guesses, over all verifications and modes, and then none until it is added again", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* add(by)
        assert.strictEqual((yield* guesses(by, 12)).made, 12)
        const { error, made } = yield* guesses({ ...by, mode: "sandbox" }, 40)
        assert.strictEqual(made, 8)
        assert.deepInclude(error, { _tag: "TOO_MANY_REQUESTS", reason: "no_checks_left" })
        const [listed] = yield* TestNumbers.listNumbers(by.account.id)
        assert.isTrue(listed?.locked)
        const started = yield* start(by, SMS)
        assert.deepInclude(yield* Effect.flip(check(by, started, CODE)), { reason: "no_checks_left" })
        yield* TestClock.adjust("1 milli")
        yield* add(by)
        assert.isTrue((yield* check(by, started, CODE)).valid)
        assert.strictEqual((yield* guesses(by, 40)).made, 20)
      })
    )
  )

  it.effect("that is locked stays so, whatever is left of a day's guesses", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* add(by)
        const settings = yield* Settings.Settings
        const setting = testNumbers.of(number)
        const known = Option.getOrThrow(yield* settings.get(by.account.id, setting))
        yield* settings.note(by.account.id, setting, { ...known, locked: true })
        const started = yield* start(by, SMS)
        assert.deepInclude(yield* Effect.flip(check(by, started, CODE)), { reason: "no_checks_left" })
        assert.strictEqual((yield* get(by, started)).checks_left, 5)
      })
    )
  )

  it.effect("spends none of them on right codes, and no more than there are on guesses at once", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* add(by)
        for (let round = 0; round < 30; round++) {
          const started = yield* start(by, { ...SMS, purpose: `right${round}` })
          assert.isTrue((yield* check(by, started, CODE)).valid)
        }
        const all = yield* Effect.forEach(Array.from({ length: 6 }), (_, index) =>
          start(by, { ...SMS, purpose: `wrong${index}` })
        )
        const answers = yield* Effect.all(
          all.flatMap((started) => Array.from({ length: 5 }, () => Effect.result(check(by, started, wrong(CODE))))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(answers.filter(Result.isSuccess).length, 20)
      })
    )
  )

  it.effect("of another account has a budget of its own, and other numbers have none", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const other = yield* principal()
        yield* add(by)
        yield* add(other)
        yield* guesses(by, 40)
        const started = yield* start(other, SMS)
        assert.isTrue((yield* check(other, started, CODE)).valid)
        const live = yield* start(by, { ...SMS, to: "+4915123456700" })
        assert.isTrue((yield* check(by, live, codeOf(world))).valid)
      })
    )
  )

  it.effect("that is approved is in the log, without its number", () => {
    const logged: Array<string> = []
    const noting = Logger.layer([Logger.make(({ message }) => void logged.push(JSON.stringify(message)))])
    return inWorld(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* add(by)
        const started = yield* start(by, SMS)
        yield* check(by, started, CODE)
        yield* Effect.yieldNow
        const said = logged.filter((line) => line.includes("approved by its fixed code"))
        assert.strictEqual(said.length, 1)
        assert.include(said[0], started.id)
        assert.notInclude(said[0], number)
      })
    ).pipe(Effect.provide(noting))
  })

  it.effect("cannot be one that the account has sent to in 90 days, unless an admin says anyway", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const sandbox: Principal = { ...by, mode: "sandbox" }
        yield* start(sandbox, { ...SMS, purpose: "sandbox" })
        yield* start(yield* principal(), SMS)
        yield* add(by)
        yield* start(by, { ...SMS, purpose: "test" })
        yield* add(by)
        yield* TestNumbers.remove(by.account.id, number)
        const sends = world.sms.sends.length
        yield* start(by, { ...SMS, purpose: "live" })
        assert.strictEqual(world.sms.sends.length, sends + 1)
        const error = yield* Effect.flip(add(by))
        if (error._tag !== "BAD_REQUEST") return assert.fail(error._tag)
        assert.deepStrictEqual(
          error.issues?.map(({ path }) => path),
          ["number"]
        )
        yield* add(by, true)
      })
    )
  )
})
