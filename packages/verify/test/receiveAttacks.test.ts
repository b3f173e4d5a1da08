/** Attempts to have a verification approved, or a user kept from one, without the number. */
import { assert, describe, it } from "@effect/vitest"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Verification } from "@watchword/schemas/Verification"
import { Settings } from "@watchword/store/Settings"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import * as Sends from "../src/internal/plan/Sends.ts"
import { tokenOf } from "../src/internal/Tokens.ts"
import * as VerifySettings from "../src/internal/VerifySettings.ts"
import { cancel, check, codeOf, get, next, outcomesOf, principal, start } from "./fixture.ts"
import {
  OURS,
  SECOND,
  SMS,
  called,
  calls,
  inWorldWithForms,
  other,
  receive,
  signsIn,
  textToSend,
  writes
} from "./ways.ts"

const options: Sends.Options = {
  resendInterval: 30_000,
  lease: 30_000,
  isProbed: () => false,
  nextId: (at) => nextDeliveryId(at)
}

const bind = { amount: "39.99 EUR", payee: "Acme Books" }
const wrong = `Verify: ${tokenOf("0123456789abcdef0123456789abcdef")}`

describe("a user who acts first, attacked", () => {
  it.effect("keeps a spent form spent, however many actions follow", () =>
    inWorldWithForms((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const workflow = [receive(["sms", "telegram_login", "call"]), SMS]
        const started = yield* start(by, { workflow, least_assurance: "network" })
        assert.strictEqual(yield* signsIn(started.present?.[1]?.uri ?? "", { from: other }), "other_number")
        assert.strictEqual(yield* writes(textToSend(started)), "replied")
        for (let turn = 0; turn < 20; turn++) assert.strictEqual(yield* calls(), "weak")
        assert.strictEqual(yield* writes(textToSend(started)), "late")
        assert.strictEqual(yield* signsIn(started.present?.[1]?.uri ?? ""), "late")
        assert.strictEqual(world.sms.sends.length, 1)
        assert.strictEqual((yield* get(by, started)).received?.length, 10)
        assert.isTrue((yield* check(by, started, codeOf(world))).valid)
        assert.deepInclude(yield* get(by, started), { by: "sms", assurance: "network" })
      })
    )
  )

  it.effect("renews no spent form by another start, or by the step again", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const workflow = [receive(["sms", "call"], { reply: false }), SMS]
        const started = yield* start(by, { workflow })
        assert.strictEqual(yield* writes(textToSend(started), { from: other }), "other_number")
        const again = [yield* start(by, { workflow }), yield* next(by, started, "receive")]
        for (const { id, present } of again) {
          assert.strictEqual(id, started.id)
          assert.deepStrictEqual(
            present?.map(({ by }) => by),
            ["call"]
          )
        }
        assert.strictEqual(yield* writes(textToSend(started)), "late")
      })
    )
  )

  it.effect("sends nothing by itself at a step that a client has gone back to", () =>
    inWorldWithForms((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const workflow = [receive(["telegram_login"]), SMS]
        const started = yield* start(by, { workflow })
        const link = started.present?.[0]?.uri ?? ""
        assert.strictEqual(yield* signsIn(link, { from: null }), "not_shared")
        assert.strictEqual(world.sms.sends.length, 1)
        const back = yield* next(by, started, "receive")
        assert.deepInclude(back, { channel: "receive", next: null })
        assert.strictEqual((yield* start(by, { workflow })).next, null)
        assert.strictEqual(yield* signsIn(link, { from: null }), "not_shared")
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(world.sms.sends.length, 1)
        // Asked for, it is sent under the guard.
        assert.strictEqual((yield* next(by, started)).channel, "sms")
        yield* next(by, started, "receive")
        assert.strictEqual(yield* signsIn(link), "approved")
      })
    )
  )

  it.effect("gives another user no number at which a late call of the first one would arrive", () =>
    inWorldWithForms(
      () =>
        Effect.gen(function* () {
          const by = yield* principal()
          const workflow = [receive(["call"]), SMS]
          const numberOf = ({ present = [] }: Verification) => present[0]?.number
          const first = yield* start(by, { workflow, purpose: "first" })
          yield* cancel(by, first)
          yield* TestClock.adjust("1 minute")
          const second = yield* start(by, { workflow, purpose: "second" })
          assert.deepStrictEqual([first, second].map(numberOf), [OURS, SECOND])
          assert.strictEqual(yield* calls({ to: OURS }), "unknown")
          yield* cancel(by, second)
          yield* TestClock.adjust("1 minute")
          // Then the number whose last use is the longest ago.
          assert.strictEqual(numberOf(yield* start(by, { workflow, purpose: "third" })), OURS)
        }),
      [called([OURS, SECOND])]
    )
  )

  it.effect("is known by a call in either spelling of a number", () =>
    inWorldWithForms(
      () =>
        Effect.gen(function* () {
          const by = yield* principal()
          const [to, from] = [E164.make("+5511987654321"), E164.make("+551187654321")]
          const started = yield* start(by, { to, workflow: [receive(["call"])] })
          assert.strictEqual(yield* calls({ from }), "approved")
          assert.strictEqual((yield* get(by, started)).status, "approved")
        }),
      [{ ...called([OURS]), isNational: false }]
    )
  )

  it.effect("finds the verification of a call under many other starts of the number", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const sandbox = yield* principal("sandbox")
        const started = yield* start(by, { workflow: [receive(["call"]), SMS] })
        for (let turn = 0; turn < 120; turn++) {
          yield* start(sandbox, { workflow: [receive(["sms"])], purpose: `p${turn}` })
        }
        assert.strictEqual(yield* calls(), "approved")
        assert.strictEqual((yield* get(by, started)).status, "approved")
      })
    )
  )

  it.effect("proves what the last start asked for, although an earlier one asked for less", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const workflow = [receive(["call", "telegram_login"], { timeout: 300 }), SMS]
        const signUp = yield* start(by, { workflow })
        const login = { workflow, least_assurance: "network" }
        // No verification is replaced at once.
        assert.deepInclude(yield* Effect.flip(start(by, login)), { reason: "resend_too_soon" })
        yield* TestClock.adjust("31 seconds")
        const surer = yield* start(by, login)
        assert.notStrictEqual(surer.id, signUp.id)
        assert.strictEqual((yield* get(by, signUp)).status, "canceled")
        assert.strictEqual(yield* calls(), "weak")
        // A start that asks for less is shown the pending one.
        assert.strictEqual((yield* start(by, { workflow })).id, surer.id)
        assert.strictEqual(yield* calls(), "weak")
      })
    )
  )

  it.effect("is approved by no guess at a code that has not been sent", () =>
    inWorldWithForms((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const workflow = [receive(["telegram_login"]), SMS]
        const started = yield* start(by, { workflow, code: "482913" })
        assert.deepInclude(yield* check(by, started, "482913"), { valid: false, checks_left: 4 })
        yield* next(by, started)
        assert.strictEqual(codeOf(world), "482913")
        assert.isTrue((yield* check(by, started, "482913")).valid)
      })
    )
  )

  it.effect("is approved of a payment by a check that repeats it, and by nothing else", () =>
    inWorldWithForms((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const all = receive(["telegram_login", "sms", "call"])
        const started = yield* start(by, { bind, workflow: [all, receive(["sms"], { reply: false }), SMS] })
        assert.deepStrictEqual(
          started.present?.map(({ by }) => by),
          ["sms"]
        )
        assert.strictEqual(started.next?.channel, "sms")
        assert.strictEqual(yield* calls(), "unknown")
        assert.strictEqual(yield* writes(textToSend(started)), "replied")
        assert.deepInclude(yield* check(by, started, codeOf(world)), { valid: false, reason: "bind_mismatch" })
        assert.deepInclude(yield* check(by, started, codeOf(world), {}, bind), { valid: true })
        const others = { bind, purpose: "other", workflow: [receive(["telegram_login", "call"])] }
        const error = yield* Effect.flip(start(by, others))
        assert.deepInclude(error, {
          _tag: "BAD_REQUEST",
          issues: [{ path: "workflow", message: "has no form that replies, as bind needs" }]
        })
      })
    )
  )

  it.effect("sends the code at once to an app that speaks another service's interface", () =>
    inWorldWithForms((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start({ ...by, door: "twilio" }, { workflow: [receive(["sms", "call"]), SMS] })
        assert.deepStrictEqual([started.channel, outcomesOf(started)], ["sms", ["sms accepted"]])
        assert.notProperty(started, "present")
        assert.strictEqual(world.sms.sends.length, 1)
      })
    )
  )

  it.effect("delivers an identity server's code at once, by a workflow of the account", () =>
    inWorldWithForms((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const steps = [{ channel: "receive", by: ["sms", "call"], timeout: 60 }, SMS] as const
        const workflow = [...steps]
        yield* (yield* Settings).set(by.account.id, VerifySettings.workflows.of("first"), workflow)
        const started = yield* start(by, { workflow: "first", code: "482913" })
        assert.deepStrictEqual([started.channel, codeOf(world)], ["sms", "482913"])
        // An app that names the steps itself shows them, too.
        const own = yield* start(by, { workflow, code: "482914", purpose: "own" })
        assert.strictEqual(own.present?.length, 2)
      })
    )
  )

  it("opens one send at a time, although a sign-in without a number passes the step on", () => {
    const workflow = [
      { channel: "receive", by: ["sms", "telegram_login"], timeout: 60 },
      { channel: "sms", timeout: 60 }
    ] as const
    const { plan } = Sends.start(workflow, { maxSends: 5, maxChecks: 5, ttl: 600 }, 0, options)
    const replied = Sends.replied(plan, "sms", 1000, options)?.plan ?? plan
    assert.deepStrictEqual(
      replied.attempts.map(({ outcome }) => outcome),
      ["opening"]
    )
    assert.isNull(Sends.passedOn(replied, 1001, options))
    assert.strictEqual(Sends.passedOn(plan, 1001, options)?.open, 0)
  })

  it.effect("is passed over in no other form, mode or account because of wrong tokens", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const [sandbox, neighbour] = [yield* principal("sandbox"), yield* principal("sandbox")]
        const workflow = [receive(["sms", "telegram_login"], { reply: false, timeout: 600 }), SMS]
        const [live, tried] = [yield* start(by, { workflow }), yield* start(sandbox, { workflow })]
        const phone = (account: typeof sandbox) => ({ mode: "sandbox", account: account.account.id })
        for (let turn = 0; turn < 4; turn++) {
          assert.strictEqual(yield* writes(wrong, phone(by)), "unknown")
        }
        assert.strictEqual(yield* writes(textToSend(live), phone(by)), "blocked")
        assert.strictEqual(yield* writes(textToSend(tried), phone(sandbox)), "approved")
        // The sandbox's page lets anyone sign in with any number.
        const [mine, theirs] = [yield* start(sandbox, { workflow, to: other }), yield* start(neighbour, { workflow })]
        for (let turn = 0; turn < 5; turn++) {
          const again = yield* signsIn(mine.present?.[1]?.uri ?? "", { mode: "sandbox" })
          assert.strictEqual(again, "other_number")
        }
        assert.strictEqual(yield* signsIn(theirs.present?.[1]?.uri ?? "", { mode: "sandbox" }), "approved")
        for (let turn = 0; turn < 4; turn++) assert.strictEqual(yield* writes(wrong), "unknown")
        assert.strictEqual(yield* writes(textToSend(live)), "blocked")
        assert.strictEqual(yield* signsIn(live.present?.[1]?.uri ?? ""), "approved")
      })
    )
  )
})
