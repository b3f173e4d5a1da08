import { assert, describe, it } from "@effect/vitest"
import { TooManyRequests } from "@watchword/schemas/Errors"
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Verification } from "@watchword/schemas/Verification"
import type { Result } from "@watchword/send/channel/Receiving"
import { SendGuard, passed } from "@watchword/send/SendGuard"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { tokenOf } from "../src/internal/Tokens.ts"
import * as Verify from "../src/internal/Verify.ts"
import {
  cancel,
  centsOf,
  check,
  codeOf,
  eventually,
  get,
  list,
  next,
  outcomesOf,
  principal,
  settled,
  start,
  textOf
} from "./fixture.ts"
import {
  OURS,
  SECOND,
  called,
  calls,
  inWorldWithForms,
  login,
  other,
  receive,
  SMS,
  signsIn,
  textToSend,
  writes,
  written
} from "./ways.ts"

describe("a step that waits for the user", () => {
  it.effect("sends nothing, costs nothing, and shows what to do", () =>
    inWorldWithForms((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { workflow: [receive(["sms", "telegram_login"]), SMS] })
        assert.deepInclude(started, {
          status: "pending",
          channel: "receive",
          step: 1,
          sends_left: 5,
          next: { channel: "sms", at: "1970-01-01T00:01:00.000Z" }
        })
        assert.strictEqual(world.sms.sends.length, 0)
        assert.deepStrictEqual(yield* centsOf(by), { available: 1000, held: 0 })
        const [text, signIn] = started.present ?? []
        assert.deepInclude(text, { by: "sms", number: OURS, expires_at: "1970-01-01T00:01:00.000Z" })
        assert.match(
          text?.text ?? "",
          /^Verify my number for Watchword: [0-9A-Z]{21}\. Never send this for someone else\.$/
        )
        assert.deepInclude(signIn, { by: "telegram_login", number: null, text: null })
        assert.notProperty(text ?? {}, "qr")
        assert.deepStrictEqual((yield* get(by, started)).present, started.present)
        const { rows } = yield* list(by)
        assert.notProperty(rows[0] ?? {}, "present")
      })
    )
  )

  it.effect("is approved by a text of the number, and by no other number", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { workflow: [receive(["sms"], { reply: false }), SMS] })
        assert.strictEqual(yield* writes("hello"), "unknown")
        assert.strictEqual(yield* writes(textToSend(started)), "approved")
        assert.deepInclude(yield* get(by, started), {
          status: "approved",
          by: "sms",
          assurance: "network",
          received: [{ by: "sms", at: "1970-01-01T00:00:00.000Z", result: "approved", assurance: "network" }]
        })
        // A carrier that has heard no answer repeats the text.
        assert.strictEqual(yield* writes(textToSend(started)), "late")
        assert.deepInclude((yield* list(by, { filter: { by: "sms" } })).rows[0] ?? {}, {
          id: started.id
        })
      })
    )
  )

  it.effect("refuses both numbers that send one token", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { workflow: [receive(["sms", "call"], { reply: false }), SMS] })
        for (let time = 0; time < 2; time++) {
          assert.strictEqual(yield* writes(textToSend(started), { from: other }), "other_number")
        }
        assert.strictEqual(yield* writes(textToSend(started)), "late")
        const after = yield* get(by, started)
        assert.strictEqual(after.status, "pending")
        assert.deepStrictEqual(
          after.received?.map(({ result }) => result),
          ["other_number"]
        )
        // The other form still serves.
        assert.deepStrictEqual(
          after.present?.map(({ by }) => by),
          ["call"]
        )
      })
    )
  )

  it.effect("answers a text by a code, which the user enters", () =>
    inWorldWithForms((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { workflow: [receive(["sms"]), { channel: "call", timeout: 60 }] })
        assert.strictEqual(yield* writes(textToSend(started)), "replied")
        assert.deepStrictEqual(outcomesOf(yield* get(by, started)), ["sms accepted"])
        assert.deepStrictEqual(yield* centsOf(by), { available: 995, held: 0 })
        assert.include(textOf(world), codeOf(world))
        assert.strictEqual(yield* writes(textToSend(started)), "late")
        assert.strictEqual(world.sms.sends.length, 1)
        const checked = yield* check(by, started, codeOf(world))
        assert.isTrue(checked.valid)
        assert.deepInclude(yield* get(by, started), { status: "approved", by: "sms", sends_left: 4 })
      })
    )
  )

  it.effect("replies nothing once no send is left", () =>
    inWorldWithForms((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { workflow: [receive(["sms"]), SMS], max_sends: 1 })
        yield* next(by, started)
        assert.strictEqual(world.sms.sends.length, 1)
        yield* next(by, started, "receive")
        assert.strictEqual(yield* writes(textToSend(started)), "not_replied")
        assert.strictEqual(world.sms.sends.length, 1)
      })
    )
  )

  it.effect("is approved by a call from the number to the number that it waits at", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { workflow: [receive(["call"]), SMS] })
        assert.deepInclude(started.present?.[0], { by: "call", number: OURS, uri: `tel:${OURS}`, text: null })
        assert.strictEqual(yield* calls({ from: other }), "unknown")
        assert.strictEqual(yield* calls({ from: null }), "unknown")
        assert.strictEqual(yield* calls({ to: SECOND }), "unknown")
        assert.strictEqual(yield* calls({ mode: "sandbox" }), "unknown")
        assert.strictEqual(yield* calls(), "approved")
        assert.deepInclude(yield* get(by, started), { status: "approved", by: "call", assurance: "claimed" })
        assert.strictEqual(yield* calls(), "unknown")
      })
    )
  )

  it.effect(
    "takes another number of the pool for each verification of a caller, and leaves calls out without one",
    () =>
      inWorldWithForms(
        () =>
          Effect.gen(function* () {
            const by = yield* principal()
            const workflow = [receive(["call", "telegram_login"]), SMS]
            const first = yield* start(by, { workflow, purpose: "login" })
            const second = yield* start(by, { workflow, purpose: "payment" })
            const third = yield* start(by, { workflow, purpose: "third" })
            const numberOf = ({ present = [] }: Verification) => present.find(({ by }) => by === "call")?.number
            assert.strictEqual(numberOf(first), OURS)
            assert.strictEqual(numberOf(second), SECOND)
            assert.isUndefined(numberOf(third))
            assert.deepStrictEqual(
              third.present?.map(({ by }) => by),
              ["telegram_login"]
            )
            // Started again it is the same one, at the same number.
            assert.strictEqual(numberOf(yield* start(by, { workflow, purpose: "login" })), OURS)
            assert.strictEqual(yield* calls({ to: SECOND }), "approved")
            assert.strictEqual((yield* get(by, first)).status, "pending")
            assert.strictEqual((yield* get(by, second)).status, "approved")
          }),
        [called([OURS, SECOND]), login]
      )
  )

  it.effect("needs no price, and a reply without one is not sent", () =>
    inWorldWithForms(
      (world) =>
        Effect.gen(function* () {
          const by = yield* principal()
          const british = E164.make("+447700900480")
          const started = yield* start(by, { to: british, workflow: [receive(["sms"])] })
          assert.strictEqual(started.channel, "receive")
          assert.strictEqual(yield* writes(textToSend(started), { from: british }), "replied")
          assert.strictEqual(world.sms.sends.length, 0)
          assert.deepInclude(yield* get(by, started), { status: "failed", reason: "undeliverable" })
        }),
      [{ ...written("sms"), isNational: false }]
    )
  )

  it.effect("shows no number abroad, and no step whose forms do not serve the number", () =>
    inWorldWithForms(
      (world) =>
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, { workflow: [receive(["sms", "call"]), SMS] })
          assert.strictEqual(started.channel, "sms")
          assert.strictEqual(world.sms.sends.length, 1)
          const error = yield* Effect.flip(start(by, { purpose: "other", workflow: [receive(["sms"])] }))
          assert.strictEqual(error._tag, "BAD_REQUEST")
        }),
      [{ ...written("sms"), numbers: () => [E164.make("+442079460123")] }]
    )
  )

  it.effect("is approved by a sign-in, and goes on where that shares no number", () =>
    inWorldWithForms((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const workflow = [receive(["telegram_login"]), SMS]
        const first = yield* start(by, { workflow })
        const uri = first.present?.[0]?.uri ?? ""
        assert.strictEqual(yield* signsIn(uri, { from: null }), "not_shared")
        assert.deepStrictEqual(outcomesOf(yield* get(by, first)), ["sms accepted"])
        assert.strictEqual(world.sms.sends.length, 1)
        assert.strictEqual(yield* signsIn(uri), "late")
        yield* cancel(by, first)
        const second = yield* start(by, { workflow })
        assert.strictEqual(yield* signsIn(second.present?.[0]?.uri ?? ""), "approved")
        assert.deepInclude(yield* get(by, second), { status: "approved", by: "telegram_login", assurance: "account" })
      })
    )
  )

  it.effect("does not approve what is less sure than it has to be", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, {
          workflow: [receive(["call", "telegram_login"]), SMS],
          least_assurance: "network"
        })
        assert.strictEqual(yield* calls(), "weak")
        assert.strictEqual((yield* get(by, started)).status, "pending")
        assert.strictEqual(yield* calls({ assurance: "network" }), "approved")
      })
    )
  )

  it.effect("gives way to the next step at its time, or when the client asks, and takes nothing then", () =>
    inWorldWithForms((world) =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { workflow: [receive(["sms"], { reply: false }), SMS] })
        const after = yield* next(by, started)
        assert.deepInclude(after, { channel: "sms", step: 2, sends_left: 4 })
        assert.notProperty(after, "present")
        assert.strictEqual(yield* writes(textToSend(started)), "late")
        assert.isTrue((yield* check(by, started, codeOf(world))).valid)
        const later = yield* start(by, { workflow: [receive(["sms"], { reply: false }), SMS] })
        yield* TestClock.adjust("61 seconds")
        const moved = yield* eventually(get(by, later), ({ channel }) => channel === "sms")
        assert.strictEqual(moved.step, 2)
        assert.strictEqual(world.sms.sends.length, 2)
      })
    )
  )

  it.effect("takes nothing for another mode or account, after the end, or of a text with two tokens", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const stranger = yield* principal()
        const workflow = [receive(["sms"], { reply: false }), SMS]
        const one = yield* start(by, { workflow, purpose: "one" })
        const two = yield* start(by, { workflow, purpose: "two" })
        assert.strictEqual(yield* writes(textToSend(one), { mode: "sandbox" }), "unknown")
        assert.strictEqual(yield* writes(textToSend(one), { account: stranger.account.id, from: other }), "unknown")
        assert.strictEqual(yield* writes(`${textToSend(one)} ${textToSend(two)}`), "ambiguous")
        assert.strictEqual((yield* get(by, two)).status, "pending")
        yield* cancel(by, one)
        assert.strictEqual(yield* writes(textToSend(one)), "late")
        assert.strictEqual(yield* writes(textToSend(two)), "approved")
      })
    )
  )

  it.effect("passes a number over for a day that has sent more than three wrong tokens", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { workflow: [receive(["sms"], { reply: false }), SMS] })
        const results: Array<Result> = []
        // Tokens of verifications that no record names.
        for (const token of WRONG) results.push(yield* writes(token))
        assert.deepStrictEqual(results, ["unknown", "unknown", "unknown", "unknown"])
        assert.strictEqual(yield* writes(textToSend(started)), "blocked")
        assert.strictEqual((yield* get(by, started)).status, "pending")
      })
    )
  )

  it.effect("answers those who wait once the user has acted", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { workflow: [receive(["sms", "call"], { reply: false }), SMS] })
        const { get } = yield* Verify.Verify
        const waits = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(get(by, started.id, { wait: 25 })))
        yield* settled
        assert.deepStrictEqual(
          waits.map((fiber) => fiber.pollUnsafe()),
          [undefined, undefined, undefined]
        )
        yield* writes(textToSend(started), { from: other })
        for (const fiber of waits) {
          const answer = yield* Fiber.join(fiber)
          assert.deepStrictEqual(
            answer.received?.map(({ result }) => result),
            ["other_number"]
          )
          assert.deepStrictEqual(
            answer.present?.map((each) => each.by),
            ["call"]
          )
        }
        const last = yield* Effect.forkChild(get(by, started.id, { wait: 25 }))
        yield* settled
        yield* calls()
        assert.strictEqual((yield* Fiber.join(last)).status, "approved")
        // The end of a verification is not waited for.
        assert.strictEqual((yield* get(by, started.id, { wait: 25 })).status, "approved")
      })
    )
  )

  it.effect("answers those who wait at their time, and as the step is left", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { workflow: [receive(["sms"]), SMS] })
        const { get } = yield* Verify.Verify
        const first = yield* Effect.forkChild(get(by, started.id, { wait: 2 }))
        yield* settled
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual((yield* Fiber.join(first)).status, "pending")
        const second = yield* Effect.forkChild(get(by, started.id, { wait: 25 }))
        yield* settled
        yield* next(by, started)
        assert.strictEqual((yield* Fiber.join(second)).channel, "sms")
      })
    )
  )

  it.effect("answers all who wait once the service drains, and leaves nothing of a client that hangs up", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { workflow: [receive(["sms"]), SMS] })
        const { drain = Effect.void, get } = yield* Verify.Verify
        const left = yield* Effect.forkChild(get(by, started.id, { wait: 25 }))
        yield* settled
        yield* Fiber.interrupt(left)
        const waits = yield* Effect.forEach([1, 2], () => Effect.forkChild(get(by, started.id, { wait: 25 })))
        yield* settled
        yield* drain
        for (const fiber of waits) assert.strictEqual((yield* Fiber.join(fiber)).status, "pending")
        assert.strictEqual((yield* get(by, started.id, { wait: 25 })).status, "pending")
      })
    )
  )

  it.effect("has QR codes where the client asks for them", () =>
    inWorldWithForms(() =>
      Effect.gen(function* () {
        const by = yield* principal()
        const started = yield* start(by, { workflow: [receive(["sms"]), SMS], qr: true })
        assert.match(started.present?.[0]?.qr ?? "", /^<svg /)
        const { get } = yield* Verify.Verify
        assert.match((yield* get(by, started.id, { qr: true })).present?.[0]?.qr ?? "", /^<svg /)
      })
    )
  )

  it.effect("counts a start as a send for the guard", () => {
    // The start, its repeat, which is taken back, the second code; the first code counts with the start.
    let asked = 0
    let unsent = 0
    const counting = Effect.provideService(SendGuard, {
      check: ({ requests }) =>
        Effect.sync(() => {
          asked += requests
          const counted = Array.from({ length: requests }, () => ({ key: "number", until: 1, amount: 1 }))
          return { ...passed, counted: { requests: counted, money: [] } }
        }),
      unsent: () => Effect.sync(() => void unsent++),
      verified: () => Effect.void
    })
    return counting(
      inWorldWithForms(() =>
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, { workflow: [receive(["sms"]), SMS] })
          yield* start(by, { workflow: [receive(["sms"]), SMS] })
          yield* next(by, started)
          assert.deepStrictEqual({ asked, unsent }, { asked: 2, unsent: 1 })
          yield* TestClock.adjust("31 seconds")
          yield* next(by, started, "receive")
          yield* next(by, started)
          assert.deepStrictEqual({ asked, unsent }, { asked: 3, unsent: 1 })
        })
      )
    )
  })

  it.effect("replies nothing that the guard refuses, and says so", () => {
    let isRefused = false
    const failure = new TooManyRequests({ message: "too many", reason: "limit_to" })
    const guarded = Effect.provideService(SendGuard, {
      check: () => Effect.sync(() => (isRefused ? { _tag: "Refused", failure, details: {} } : passed)),
      unsent: () => Effect.void,
      verified: () => Effect.void
    })
    return guarded(
      inWorldWithForms((world) =>
        Effect.gen(function* () {
          const by = yield* principal()
          const started = yield* start(by, { workflow: [receive(["sms"]), SMS] })
          yield* next(by, started)
          yield* next(by, started, "receive")
          isRefused = true
          assert.strictEqual(yield* writes(textToSend(started)), "not_replied")
          assert.strictEqual(world.sms.sends.length, 1)
          assert.deepStrictEqual(
            (yield* get(by, started)).received?.map(({ result }) => result),
            ["not_replied"]
          )
        })
      )
    )
  })
})

/** Tokens of no verification. */
const WRONG = ["1", "2", "3", "4"].map((digit) => tokenOf(digit.repeat(64)))
