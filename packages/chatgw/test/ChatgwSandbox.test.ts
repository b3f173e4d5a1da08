import { assert, describe, it } from "@effect/vitest"
import type { RequestStatus } from "@watchword/chatgw/ChatgwGateway"
import { chatSandbox } from "@watchword/sandbox/simulator"
import * as Settings from "@watchword/store/Settings"
import { memory } from "@watchword/store/MemoryStore"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { inspect } from "node:util"
import { messageTo } from "./message.ts"
import { recorded } from "./recorded.ts"

const store = Layer.suspend(() => Layer.fresh(Layer.provideMerge(Settings.layer, memory())))

/** A sandbox and the statuses that it has reported. */
const sandbox = Effect.gen(function* () {
  const gateway = yield* recorded((yield* chatSandbox).gateway)
  const reported: Array<RequestStatus> = []
  yield* gateway.events((status) => Effect.sync(() => void reported.push(status)))
  const send = Effect.fnUntraced(function* (digits: string, changes = {}) {
    const outcome = yield* gateway.send(messageTo(digits, changes))
    assert(outcome._tag === "Accepted")
    return outcome.refs[0] ?? ""
  })
  return { ...gateway, gateway, reported, send }
})

const failures = [
  ["0003", "NOT_FOUND"],
  ["0480", "TEMPORARY_UNAVAILABLE"],
  ["0503", "SERVICE_UNAVAILABLE"]
] as const

describe("the number's last digits", () => {
  it.effect.each(failures)("%s reject with %s", ([digits, failure]) =>
    Effect.gen(function* () {
      const { gateway } = yield* sandbox
      const outcome = yield* gateway.send(messageTo(digits))
      assert(outcome._tag === "Rejected")
      assert.strictEqual(outcome.failure._tag, failure)
    }).pipe(Effect.provide(store))
  )

  const ends = [
    ["0002", "failed"],
    ["0004", "expired"],
    ["0486", "delivered"],
    ["0603", "delivered"],
    ["6789", "delivered"]
  ] as const

  it.effect.each(ends)("%s end in %s, a second later", ([digits, status]) =>
    Effect.gen(function* () {
      const { reported, send } = yield* sandbox
      const requestId = yield* send(digits)
      yield* TestClock.adjust("999 millis")
      assert.deepStrictEqual(reported, [])
      yield* TestClock.adjust("1 millis")
      assert.lengthOf(reported, 1)
      assert.deepInclude(reported[0], { requestId, delivery: { status, updatedAt: 1 } })
      assert.strictEqual(reported[0]?.verification?.status, status === "expired" ? "expired" : undefined)
    }).pipe(Effect.provide(store))
  )

  it.effect("0001 are never heard of again", () =>
    Effect.gen(function* () {
      const { checkVerificationStatus, reported, send } = yield* sandbox
      const requestId = yield* send("0001")
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(reported, [])
      const status = yield* checkVerificationStatus(requestId, null)
      assert.strictEqual(status.delivery?.status, "sent")
    }).pipe(Effect.provide(store))
  )
})

describe("a report", () => {
  it.effect("is made again until it is handled", () =>
    Effect.gen(function* () {
      const gateway = yield* recorded((yield* chatSandbox).gateway)
      let attempts = 0
      yield* gateway.events(() =>
        ++attempts < 3 ? Effect.fail(new StoreError({ reason: "Unavailable", message: "away" })) : Effect.void
      )
      yield* gateway.send(messageTo("6789"))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(attempts, 3)
    }).pipe(Effect.provide(store))
  )

  it.effect("tells what was revoked before it arrived", () =>
    Effect.gen(function* () {
      const { reported, revoke, send } = yield* sandbox
      yield* revoke(yield* send("6789"))
      yield* TestClock.adjust("1 second")
      assert.deepInclude(reported[0], { isRefunded: true, delivery: { status: "revoked", updatedAt: 0 } })
    }).pipe(Effect.provide(store))
  )
})

describe("a request", () => {
  it.effect("expires to the second", () =>
    Effect.gen(function* () {
      const { checkVerificationStatus, send } = yield* sandbox
      const [early, late] = [yield* send("6789", { ttl: 30 }), yield* send("6789", { ttl: 30 })]
      yield* TestClock.adjust("29999 millis")
      const before = yield* checkVerificationStatus(early, Redacted.make("123456"))
      assert.strictEqual(before.verification?.status, "code_valid")
      yield* TestClock.adjust("1 millis")
      const after = yield* checkVerificationStatus(late, Redacted.make("123456"))
      assert.deepStrictEqual(after.verification, { status: "expired", updatedAt: 30 })
    }).pipe(Effect.provide(store))
  )

  it.effect("that was revoked takes no code any more", () =>
    Effect.gen(function* () {
      const { checkVerificationStatus, revoke, send } = yield* sandbox
      const requestId = yield* send("6789")
      yield* revoke(requestId)
      assert.isNull((yield* checkVerificationStatus(requestId, Redacted.make("123456"))).verification)
    }).pipe(Effect.provide(store))
  )

  it.effect("that expired is not refunded", () =>
    Effect.gen(function* () {
      const { revoke, send } = yield* sandbox
      const requestId = yield* send("6789", { ttl: 30 })
      yield* TestClock.adjust("31 seconds")
      assert.isFalse((yield* revoke(requestId)).isRefunded)
    }).pipe(Effect.provide(store))
  )

  it.effect("is known to every sandbox on the same store", () =>
    Effect.gen(function* () {
      const { checkVerificationStatus, send } = yield* sandbox
      const { gateway: other } = yield* chatSandbox
      const requestId = yield* send("6789")
      yield* other.checkVerificationStatus(requestId, Redacted.make("000000"))
      yield* checkVerificationStatus(requestId, Redacted.make("000000"))
      const third = yield* other.checkVerificationStatus(requestId, Redacted.make("000000"))
      assert.strictEqual(third.verification?.status, "code_max_attempts_exceeded")
    }).pipe(Effect.provide(store))
  )

  it.effect("never has its code told", () =>
    Effect.gen(function* () {
      const { checkVerificationStatus, reported, send } = yield* sandbox
      const requestId = yield* send("6789", { code: Redacted.make("86420975") })
      const status = yield* checkVerificationStatus(requestId, Redacted.make("86420975"))
      yield* TestClock.adjust("1 second")
      assert.notInclude(inspect([status, reported], { depth: null }), "86420975")
    }).pipe(Effect.provide(store))
  )
})
