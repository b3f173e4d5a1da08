import { assert, describe, it } from "@effect/vitest"
import type { Dialled } from "@watchword/call/CallGateway"
import { setCallers } from "@watchword/send/pipeline"
import { Decline, TemporaryUnavailable } from "@watchword/schemas/Errors"
import type { Principal } from "@watchword/schemas/Account"
import type { DeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import {
  SMS_THEN_CALL,
  type World,
  expectAttempts,
  cancel,
  check,
  codeOf,
  eventually,
  get,
  inWorld,
  next,
  principal,
  settled,
  start,
  wrong
} from "./fixture.ts"

const CALL_THEN_SMS = {
  workflow: [
    { channel: "call", timeout: 60 },
    { channel: "sms", timeout: 60 }
  ]
}
const CALL = { workflow: [{ channel: "call", timeout: 60 }] }

/** A failed call that may have reached the network. */
const unheard = (mayHaveRung: boolean): Dialled => ({
  _tag: "Failed",
  failure: new TemporaryUnavailable({ message: "unheard" }),
  cause: { hangupCause: "PROGRESS_TIMEOUT", sipStatus: null, q850: null },
  mayHaveRung
})

const callerOf = ({ trunk }: World): string => trunk.calls.at(-1)?.caller ?? assert.fail("no call")

const recordOf = ({ store }: World, { account, mode }: Principal, id: DeliveryId | null | undefined) =>
  Effect.map(
    id == null ? Effect.succeedNone : store.find({ account: account.id, mode, channel: "call", id }),
    Option.getOrThrow
  )

describe("a call", () => {
  it.effect("comes from a number of the pool, whose last digits are the code", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { ...CALL, code_length: 4 })
        const caller = callerOf(world)
        assert.match(caller, /^\+493090182[01][0-9]{3}$/)
        assert.deepInclude(yield* check(by, started, caller.slice(-4)), { valid: true, channel: "call" })
      })
    )
  )

  it.effect("shows its caller to nothing but the phone before approval, and on the record after it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, CALL)
        const caller = callerOf(world)
        const id = started.attempts[0]?.delivery_id
        const before = yield* recordOf(world, by, id)
        assert.isNull(before.from)
        assert.notInclude(JSON.stringify([started, before, yield* get(by, started)]), caller.slice(1))
        yield* check(by, started, caller.slice(-6))
        const after = yield* eventually(recordOf(world, by, id), ({ details }) => details["caller"] !== undefined)
        assert.strictEqual(after.details["caller"], caller)
      })
    )
  )

  it.effect("leaves three guesses, of which each counts for the code and the caller", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { ...SMS_THEN_CALL, max_checks: 10 })
        const code = codeOf(world)
        assert.strictEqual(started.checks_left, 10)
        yield* TestClock.adjust("60 seconds")
        const { checks_left: left } = yield* expectAttempts(by, started, ["sms accepted", "call accepted"])
        assert.strictEqual(left, 3)
        const bad = wrong(code) === callerOf(world).slice(-6) ? wrong(wrong(code)) : wrong(code)
        assert.deepInclude(yield* check(by, started, bad), { valid: false, checks_left: 2 })
        assert.deepInclude(yield* check(by, started, code), { valid: true, checks_left: 1 })
      })
    )
  )

  it.effect("that failed and may have rung takes one of the sends, and the next step follows at once", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        world.trunk.answer = () => Effect.succeed(unheard(true))
        const by = yield* principal()
        const { workflow } = CALL_THEN_SMS
        yield* expectAttempts(by, yield* start(by, { workflow, max_sends: 2 }), ["call undelivered", "sms accepted"])
        const last = yield* start(by, { workflow, max_sends: 1, purpose: "another" })
        yield* expectAttempts(by, last, ["call undelivered"])
        assert.deepInclude(yield* get(by, last), { status: "failed", reason: "undeliverable" })
      })
    )
  )

  it.effect("that failed before the network had it leaves its send to the next step", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        world.trunk.answer = () => Effect.succeed(unheard(false))
        const by = yield* principal()
        const { workflow } = CALL_THEN_SMS
        yield* expectAttempts(by, yield* start(by, { workflow, max_sends: 1 }), ["call undelivered", "sms accepted"])
      })
    )
  )

  it.effect("that rings already is checked, and limits guesses, before its gateway has answered", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const latch = yield* Latch.make()
        const { answer } = world.trunk
        world.trunk.answer = (call) => Effect.andThen(latch.await, answer(call))
        const by = yield* principal()
        const started = yield* start(by, { ...SMS_THEN_CALL, max_checks: 10 })
        const code = codeOf(world)
        yield* TestClock.adjust("60 seconds")
        yield* eventually(settled, () => world.trunk.calls.length > 0)
        const answer1 = yield* check(by, started, callerOf(world).slice(-6))
        assert.deepInclude(answer1, { valid: true, checks_left: 2 })
        assert.notStrictEqual(callerOf(world).slice(-6), code)
        yield* latch.open
        yield* settled
      })
    )
  )

  it.effect("that was declined has shown its caller", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const cause = { hangupCause: "CALL_REJECTED", sipStatus: 603, q850: 21 }
        const failure = new Decline({ message: "declined" })
        world.trunk.answer = () => Effect.succeed({ _tag: "Failed", failure, cause })
        const by = yield* principal()
        const steps = [...CALL.workflow, { channel: "sms", timeout: 60 }]
        const started = yield* start(by, { workflow: steps })
        assert.deepInclude(started.attempts[0], { status: "undelivered", reason: "DECLINE" })
        assert.deepInclude(started, { channel: "sms", checks_left: 3 })
        assert.isTrue((yield* check(by, started, callerOf(world).slice(-6))).valid)
      })
    )
  )

  it.effect("is followed by the next step when the network drops it, and not when it has rung long enough", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const steps = { workflow: [...CALL.workflow, { channel: "sms", timeout: 60 }] }
        const rung = yield* start(by, steps)
        yield* world.trunk.end("NO_ANSWER")
        yield* settled
        assert.deepInclude(yield* get(by, rung), { channel: "call", next: rung.next })
        const dropped = yield* start(by, { ...steps, purpose: "payment" })
        yield* world.trunk.end("NO_USER_RESPONSE")
        yield* expectAttempts(by, dropped, ["call undelivered", "sms accepted"])
      })
    )
  )

  it.effect("that rings is hung up by a cancellation, an approval, and the step after it", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        yield* cancel(by, yield* start(by, CALL))
        assert.strictEqual(world.trunk.hungUp, 1)
        const second = yield* start(by, CALL)
        yield* check(by, second, callerOf(world).slice(-6))
        yield* eventually(settled, () => world.trunk.hungUp === 2)
        assert.strictEqual(world.trunk.hungUp, 2)
        const steps = {
          workflow: [
            { channel: "call", timeout: 10 },
            { channel: "sms", timeout: 60 }
          ]
        }
        const third = yield* start(by, steps)
        yield* TestClock.adjust("4 seconds")
        yield* eventually(settled, () => true)
        yield* TestClock.adjust("6 seconds")
        yield* expectAttempts(by, third, ["call accepted", "sms accepted"])
      })
    )
  )
})

describe("a step by call", () => {
  it.effect("is left out where the pool has fewer than 1,000 endings, unless the account says otherwise", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const callers = ["+4930901820000-+4930901820998"]
        const by = yield* principal("live", 10, callers)
        const error = yield* Effect.flip(start(by, CALL))
        assert.deepInclude(error, { _tag: "BAD_REQUEST" })
        assert.deepInclude(yield* start(by, SMS_THEN_CALL), { channel: "sms", next: null })
        yield* setCallers(by.account.id, { callers, allowSmall: true })
        yield* TestClock.adjust("1 second")
        assert.deepInclude(yield* start(by, { ...CALL, purpose: "payment" }), { channel: "call" })
        assert.strictEqual(world.trunk.calls.length, 1)
      })
    )
  )

  it.effect("draws another caller each time, which all are right", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, CALL)
        const first = callerOf(world)
        const seen = new Set([first])
        for (let round = 0; round < 4; round++) {
          yield* TestClock.adjust("30 seconds")
          yield* next(by, started, "call")
          seen.add(callerOf(world))
        }
        assert.isAbove(seen.size, 1)
        assert.isTrue((yield* check(by, started, first.slice(-6))).valid)
      })
    )
  )
})
