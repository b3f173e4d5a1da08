import { assert, describe, it } from "@effect/vitest"
import { Chatgw } from "@watchword/chatgw/Chatgw"
import { WaitUntil } from "@watchword/send/pipeline"
import { noKeys } from "@watchword/send/Claims"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { codeTo, entriesOf, german, inWorld, page, principal } from "./fixture.ts"

describe("the sandbox", () => {
  const to = (digits: string) => `+491512345${digits}`

  it.effect("costs nothing and keeps to itself", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal("sandbox")
        assert.include(yield* chat.checkSendAbility(acme, { to: german }, noKeys), {
          request_cost: 0,
          is_refunded: false
        })
        const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
        assert.strictEqual((yield* chat.get(acme, uuid)).status, "SENT")
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* chat.get(acme, uuid)).status, "DELIVERED")
        const checked = yield* chat.checkVerificationStatus(acme, { request_id, code: codeTo().code })
        assert.deepStrictEqual(checked, { request_id, verification_status: { status: "code_valid", updated_at: 1 } })
        assert.include(yield* chat.get(acme, uuid), { status: "READ", verification_status: "code_valid" })
        assert.deepStrictEqual(yield* entriesOf(acme), [])
        assert.deepStrictEqual([gateway.sends.length, gateway.probes], [0, 0])
      })
    )
  )

  it.effect.each([
    ["0001", "SENT", null],
    ["0002", "FAILED", null],
    ["0004", "EXPIRED", "expired"],
    ["0486", "DELIVERED", null],
    ["0603", "DELIVERED", null]
  ] as const)("a number that ends in %s ends as %s", ([digits, status, verification_status]) =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal("sandbox")
        const { uuid } = yield* chat.send(acme, codeTo(to(digits)), noKeys)
        yield* TestClock.adjust("1 minute")
        assert.include(yield* chat.get(acme, uuid), { status, verification_status })
      })
    )
  )

  it.effect.each([
    ["0003", "NOT_FOUND", 1],
    ["0402", "PAYMENT_REQUIRED", 0],
    ["0480", "TEMPORARY_UNAVAILABLE", 1],
    ["0503", "SERVICE_UNAVAILABLE", 1]
  ] as const)("a number that ends in %s is answered %s", ([digits, code, recorded]) =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal("sandbox")
        const error = yield* Effect.flip(chat.send(acme, codeTo(to(digits)), noKeys))
        assert.strictEqual(error._tag, code)
        const { list, total } = yield* chat.list(acme, page({}))
        assert.strictEqual(total, recorded)
        for (const record of list) assert.strictEqual(record.status, "FAILED")
        const probe = yield* Effect.result(chat.checkSendAbility(acme, { to: codeTo(to(digits)).to }, noKeys))
        if (digits === "0003") assert.strictEqual(probe._tag === "Success" && probe.success.is_refunded, true)
        else assert.strictEqual(probe._tag === "Failure" && probe.failure._tag, code)
      })
    )
  )

  it.effect("a code expires by itself, and may not be entered any more", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal("sandbox")
        const { request_id, uuid } = yield* chat.send(acme, codeTo(german, { ttl: 30 }), noKeys)
        yield* TestClock.adjust("30 seconds")
        assert.include(yield* chat.get(acme, uuid), { status: "EXPIRED", verification_status: "expired" })
        const checked = yield* chat.checkVerificationStatus(acme, { request_id, code: codeTo().code })
        assert.deepStrictEqual(checked.verification_status, { status: "expired", updated_at: 30 })
        assert.strictEqual((yield* Effect.flip(chat.revoke(acme, { request_id })))._tag, "CONFLICT")
      })
    )
  )

  it.effect("leaves nothing running while its code is valid", () => {
    const left: Array<unknown> = []
    return inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        yield* chat.send(yield* principal("sandbox"), codeTo(), noKeys)
        assert.deepStrictEqual(left, [])
      })
    ).pipe(Effect.provideService(WaitUntil, (fiber) => void left.push(fiber)))
  })

  it.effect("three wrong codes are one too many, and the record says so", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal("sandbox")
        const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
        const states: Array<unknown> = []
        for (const code of ["0000", "1111", "2222", "123456"]) {
          const body = { request_id, code: codeTo(german, { code }).code }
          states.push((yield* chat.checkVerificationStatus(acme, body)).verification_status?.status)
          states.push((yield* chat.get(acme, uuid)).verification_status)
        }
        const [wrong, over] = ["code_invalid", "code_max_attempts_exceeded"]
        assert.deepStrictEqual(states, [wrong, wrong, wrong, wrong, over, over, over, over])
      })
    )
  )
})
