import { assert, describe, it } from "@effect/vitest"
import type { Principal } from "@watchword/schemas/Account"
import { type SetPhone, PhoneActed, sandboxNumbers } from "@watchword/schemas/SandboxPhone"
import { Verification } from "@watchword/schemas/Verification"
import { noKeys } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { alone, events, opened, operation, processes, sandbox, setPhone, until } from "./fixture.ts"

const to = "+4915123456789"
const [chat = ""] = sandboxNumbers.bizchat

const verificationOf = Schema.decodeUnknownSync(Verification)
const actedOf = Schema.decodeUnknownSync(PhoneActed)

const receive = { channel: "receive", by: ["bizchat"], timeout: 300, reply: false }

/** Starts a verification that waits for its user. */
const start = Effect.fnUntraced(function* (principal: Principal, more: object = {}) {
  const found = yield* operation("verify", "start")
  assert(found._tag === "Send")
  return verificationOf(yield* found.run(principal, { to, workflow: [receive], ...more }, noKeys))
})

const textOf = ({ present = [] }: Verification): string => present[0]?.text ?? ""

const write = (principal: Principal, body: object, number = to) =>
  Effect.map(sandbox("writeText", principal, number, { to: chat, ...body }), actedOf)

/** The verifications of an account, as its phones show them. */
const shown = (principal: Principal) =>
  Effect.map(events(principal), (all) =>
    all.flatMap((event) => (event.type === "verification" ? [event.verification] : []))
  )

const statuses = (principal: Principal) => Effect.map(shown(principal), (all) => all.map(({ status }) => status))

/** Waits for the end of the newest verification. */
const ended = (principal: Principal) =>
  until(Effect.map(shown(principal), (all) => all.find(({ status }) => status !== "pending")))

describe("a phone that writes to the service", () => {
  it.effect("approves the verification of its number", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      const started = yield* start(acme)
      assert.deepStrictEqual(yield* write(acme, { text: textOf(started) }), { by: "bizchat", result: "approved" })
      const [found] = yield* shown(acme)
      assert.deepInclude(found, { status: "approved", by: "bizchat", assurance: "account" })
      assert.deepInclude(yield* write(acme, { text: textOf(started) }), { result: "late" })
    }).pipe(alone)
  )

  it.effect("is shown the text while it is waited for, and no longer", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      const started = yield* start(acme)
      const [waiting] = yield* shown(acme)
      assert.deepStrictEqual(waiting?.present, started.present)
      yield* write(acme, { text: textOf(started) })
      const [approved] = yield* shown(acme)
      assert.isUndefined(approved?.present)
    }).pipe(alone)
  )

  it.effect(
    "proves nothing from another number, for another account, with its number withheld or without a token",
    () =>
      Effect.gen(function* () {
        const [acme, other] = [yield* opened, yield* opened]
        const text = textOf(yield* start(acme))
        assert.deepInclude(yield* write(acme, { text: "Hello" }), { result: "unknown" })
        assert.deepInclude(yield* write(other, { text }), { result: "unknown" })
        assert.deepInclude(yield* write(acme, { text, assurance: "claimed", withheld: true }), { result: "not_shared" })
        assert.deepInclude(yield* write(acme, { text }, "+4915123456780"), { result: "other_number" })
        assert.deepStrictEqual(yield* statuses(acme), ["pending"])
      }).pipe(alone)
  )

  it.effect("is blocked after wrong tokens in its own sandbox, and in no other account's", () =>
    Effect.gen(function* () {
      const [acme, other] = [yield* opened, yield* opened]
      const text = textOf(yield* start(acme))
      for (let times = 0; times < 4; times++) {
        assert.deepInclude(yield* write(other, { text }), { result: "unknown" })
      }
      assert.deepInclude(yield* write(other, { text }), { result: "blocked" })
      assert.deepInclude(yield* write(acme, { text }), { result: "approved" })
    }).pipe(alone)
  )

  it.effect("is less sure where its network is", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      const text = textOf(yield* start(acme, { least_assurance: "network" }))
      assert.deepInclude(yield* write(acme, { text, assurance: "claimed" }), { result: "weak" })
      assert.deepInclude(yield* write(acme, { text }), { result: "approved" })
    }).pipe(alone)
  )

  it.effect("must have a network, an account on the platform, and a number of the service", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      const refusal = (body: object = {}) => Effect.flip(write(acme, { text: "Hello", ...body }))
      yield* setPhone(acme, { mode: "manual", offline: true }, to)
      assert.deepInclude(yield* refusal(), { _tag: "CONFLICT", reason: "offline" })
      yield* setPhone(acme, { mode: "manual", bizchat: "none" }, to)
      assert.deepInclude(yield* refusal(), { _tag: "CONFLICT", reason: "no_account" })
      const wrong = Object(yield* refusal({ to: "+4930901820123" }))
      assert.strictEqual(wrong._tag, "BAD_REQUEST")
      assert.strictEqual(wrong.issues[0].path, "to")
      assert.include(wrong.issues[0].message, chat)
      const call = Object(yield* Effect.flip(sandbox("placeCall", acme, to, { to: chat })))
      assert.strictEqual(call.issues[0].path, "to")
      const live: Principal = { ...acme, mode: "live" }
      assert.deepInclude(yield* Effect.flip(write(live, { text: "Hello" })), { _tag: "FORBIDDEN" })
    }).pipe(alone)
  )

  it.effect("calls for its own account, whose numbers no other account takes", () =>
    Effect.gen(function* () {
      const call = { workflow: [{ channel: "receive", by: ["call"], timeout: 300 }] }
      const other = yield* opened
      const purposes = sandboxNumbers.call.map((_, place) => `purpose-${place}`)
      const taken = []
      for (const purpose of purposes) taken.push((yield* start(other, { ...call, purpose })).present?.[0]?.number)
      assert.sameMembers(taken, [...sandboxNumbers.call])
      const refused = Object(yield* Effect.flip(start(other, call)))
      assert.strictEqual(refused.issues[0].path, "workflow")

      const acme = yield* opened
      const [shown] = (yield* start(acme, call)).present ?? []
      const acted = actedOf(yield* sandbox("placeCall", acme, to, { to: shown?.number }))
      assert.deepStrictEqual(acted, { by: "call", result: "approved" })
      assert.notInclude(yield* statuses(other), "approved")
    }).pipe(alone)
  )

  it.effect("signs in only where a verification waits for that", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      const { id } = yield* start(acme)
      const logIn = (verification_id: string) => Effect.flip(sandbox("logIn", acme, to, { verification_id }))
      assert.deepInclude(yield* logIn(id), { _tag: "CONFLICT", reason: "not_asked" })
      assert.deepInclude(yield* logIn("vrf_01KAJ3T8ZZ0000000000000000"), { _tag: "NOT_FOUND" })
    }).pipe(alone)
  )
})

describe("a phone that acts by itself", () => {
  const auto = (phone: Partial<SetPhone> = {}) => ({ ...phone, mode: "auto" })

  it.effect("writes a second after it is asked to", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, auto(), to)
      yield* start(acme)
      yield* TestClock.adjust("900 millis")
      assert.deepStrictEqual(yield* statuses(acme), ["pending"])
      yield* TestClock.adjust("100 millis")
      assert.deepInclude(yield* ended(acme), { status: "approved", by: "bizchat" })
    }).pipe(alone)
  )

  it.effect.each(["sms", "call"] as const)("acts by %s where it is not on the chat platform", (by) =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, auto({ bizchat: "none" }), to)
      yield* start(acme, { workflow: [{ channel: "receive", by: ["bizchat", by], timeout: 300 }] })
      yield* TestClock.adjust("1 second")
      if (by === "call") assert.deepInclude(yield* ended(acme), { status: "approved", by, assurance: "network" })
      else {
        const replied = yield* until(Effect.map(shown(acme), ([found]) => found?.received?.[0]))
        assert.deepInclude(replied, { by, result: "replied" })
      }
    }).pipe(alone)
  )

  it.effect("writes at a later step too", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, auto({ sms: "undelivered" }), to)
      yield* start(acme, { workflow: [{ channel: "sms", timeout: 30 }, receive] })
      yield* TestClock.adjust("2 seconds")
      assert.deepInclude(yield* ended(acme), { status: "approved", by: "bizchat", step: 2 })
    }).pipe(alone)
  )

  it.effect("does not where it is manual, offline, not on the platform, or was removed", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      const numbers = ["+4915123456701", "+4915123456702", "+4915123456703", "+4915123456704", "+4915123456705"]
      const phones = [{ mode: "manual" }, auto({ offline: true }), auto({ bizchat: "none" }), auto(), null]
      for (const [place, phone] of phones.entries()) {
        const number = numbers[place] ?? ""
        if (phone !== null) yield* setPhone(acme, phone, number)
        yield* start(acme, { to: number })
      }
      yield* sandbox("removePhone", acme, "+4915123456704")
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* statuses(acme), Array(5).fill("pending"))
    }).pipe(alone)
  )

  it.effect("writes once it may again", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      yield* setPhone(acme, auto({ offline: true }), to)
      yield* start(acme)
      yield* TestClock.adjust("5 seconds")
      yield* setPhone(acme, auto(), to)
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* ended(acme), { status: "approved" })
    }).pipe(alone)
  )

  it.effect("tries a form once", () =>
    Effect.gen(function* () {
      const acme = yield* opened
      const text = textOf(yield* start(acme, { least_assurance: "network" }))
      yield* setPhone(acme, { mode: "manual" }, to)
      assert.deepInclude(yield* write(acme, { text, assurance: "claimed" }), { result: "weak" })
      yield* setPhone(acme, auto(), to)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* statuses(acme), ["pending"])
    }).pipe(alone)
  )

  it.effect("writes after its process has died, by the next one", () => {
    const life = processes()
    return Effect.gen(function* () {
      const acme = yield* life(
        Effect.gen(function* () {
          const acme = yield* opened
          yield* setPhone(acme, auto(), to)
          yield* start(acme)
          return acme
        })
      )
      yield* life(
        Effect.gen(function* () {
          yield* TestClock.adjust("2 seconds")
          assert.deepInclude(yield* ended(acme), { status: "approved" })
        })
      )
    })
  })
})
