import { assert, describe, it } from "@effect/vitest"
import { Chatgw } from "@watchword/chatgw/Chatgw"
import { noKeys } from "@watchword/send/Claims"
import { makeMemory } from "@watchword/store/MemoryStore"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { austrian, centsOf, codeTo, entriesOf, german, inWorld, principal } from "./fixture.ts"

describe("revoking", () => {
  it.effect("returns the price of a message that was not read, and of its probe", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
        assert.deepStrictEqual(yield* chat.revoke(acme, { request_id }), {
          request_id,
          is_refunded: true,
          remaining_balance: 1
        })
        assert.deepStrictEqual((yield* entriesOf(acme)).toSorted(), [
          "hold 1",
          "hold 4",
          "refund 1",
          "refund 4",
          "settle 1",
          "settle 4"
        ])
        assert.include(yield* chat.get(acme, uuid), { status: "REVOKED", is_refunded: true, request_cost: 0.04 })
        assert.strictEqual((yield* Effect.flip(chat.revoke(acme, { request_id })))._tag, "CONFLICT")
        assert.strictEqual((yield* chat.send(acme, codeTo(), noKeys)).request_cost, 0.05)
      })
    )
  )

  it.effect("returns nothing for a message that was read", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
        yield* chat.checkVerificationStatus(acme, { request_id, code: codeTo().code })
        assert.include(yield* chat.revoke(acme, { request_id }), { is_refunded: false, remaining_balance: 0.95 })
        assert.include(yield* chat.get(acme, uuid), {
          status: "READ",
          is_refunded: false,
          verification_status: "code_valid"
        })
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "settle 5"])
      })
    )
  )

  it.effect("is a conflict when the code's time is over", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        for (const mode of ["live", "sandbox"] as const) {
          const acme = yield* principal(mode)
          const { request_id } = yield* chat.send(acme, codeTo(german, { ttl: 30 }), noKeys)
          const other = yield* chat.send(acme, codeTo(austrian, { ttl: 30 }), noKeys)
          yield* TestClock.adjust("29999 millis")
          yield* chat.revoke(acme, { request_id: other.request_id })
          yield* TestClock.adjust("1 millis")
          assert.strictEqual((yield* Effect.flip(chat.revoke(acme, { request_id })))._tag, "CONFLICT")
        }
      })
    )
  )

  it.effect.each(["expired", "revoked", "failed"] as const)("is a conflict when the gateway said %s", (delivery) =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const { request_id } = yield* chat.send(acme, codeTo(), noKeys)
        yield* gateway.tell(request_id, { delivery })
        assert.strictEqual((yield* Effect.flip(chat.revoke(acme, { request_id })))._tag, "CONFLICT")
      })
    )
  )

  it.effect("twice at once refunds once", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        const { request_id } = yield* chat.send(acme, codeTo(), noKeys)
        const revoke = Effect.result(Effect.andThen(Effect.yieldNow, chat.revoke(acme, { request_id })))
        yield* Effect.all([revoke, revoke, gateway.tell(request_id)], { concurrency: "unbounded" })
        yield* gateway.tell(request_id)
        assert.deepStrictEqual(yield* centsOf(acme), { available: 100, held: 0 })
        const refunds = (yield* entriesOf(acme)).filter((entry) => entry.startsWith("refund"))
        assert.deepStrictEqual(refunds.toSorted(), ["refund 1", "refund 4"])
      })
    )
  )

  it.effect("may be repeated where the store failed half way, until the refund is there", () => {
    const store = makeMemory()
    const away = new StoreError({ reason: "Unavailable", message: "away" })
    let left = Infinity
    return inWorld(
      () =>
        Effect.gen(function* () {
          const chat = yield* Chatgw
          for (const reports of [0, 1, 2]) {
            const acme = yield* principal()
            yield* chat.checkSendAbility(acme, { to: german }, noKeys)
            const { request_id } = yield* chat.send(acme, codeTo(), noKeys)
            left = reports
            assert.strictEqual((yield* Effect.flip(chat.revoke(acme, { request_id })))._tag, "StoreError")
            left = Infinity
            assert.isTrue((yield* chat.revoke(acme, { request_id })).is_refunded)
            assert.deepStrictEqual(yield* centsOf(acme), { available: 100, held: 0 })
          }
        }),
      { store: { ...store, report: (report) => Effect.suspend(() => (left-- > 0 ? store.report(report) : away)) } }
    )
  })

  it.effect("is not found for what was never sent", () =>
    inWorld(() =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        // A probe is not a code, and cannot be revoked.
        const { request_id } = yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        for (const id of [request_id, "nothing", acme.account.id]) {
          assert.strictEqual((yield* Effect.flip(chat.revoke(acme, { request_id: id })))._tag, "NOT_FOUND")
          const check = chat.checkVerificationStatus(acme, { request_id: id })
          assert.strictEqual((yield* Effect.flip(check))._tag, "NOT_FOUND")
        }
      })
    )
  )
})
