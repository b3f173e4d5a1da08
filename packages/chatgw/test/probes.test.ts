import { assert, describe, it } from "@effect/vitest"
import { Chatgw } from "@watchword/chatgw/Chatgw"
import { noKeys } from "@watchword/send/Claims"
import { makeMemory } from "@watchword/store/MemoryStore"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as TestClock from "effect/testing/TestClock"
import {
  austrian,
  centsOf,
  codeTo,
  entriesOf,
  german,
  inWorld,
  loseQuestion,
  principal,
  refusal,
  refuse
} from "./fixture.ts"

describe("what a probe has cost", () => {
  it.effect("is taken off the next send", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        assert.deepStrictEqual(yield* chat.checkSendAbility(acme, { to: german }, noKeys), {
          request_id: "request-1",
          phone_number: german,
          request_cost: 0.01,
          is_refunded: false,
          remaining_balance: 0.99,
          delivery_status: { status: "sent", updated_at: 0 }
        })
        const sent = yield* chat.send(acme, codeTo(), noKeys)
        assert.include(sent, { request_id: "request-1", request_cost: 0.04, remaining_balance: 0.95 })
        const next = yield* chat.send(acme, codeTo(), noKeys)
        assert.include(next, { request_id: "request-2", request_cost: 0.05, remaining_balance: 0.9 })
        assert.deepStrictEqual(
          gateway.sends.map(({ requestId }) => requestId),
          ["request-1", null]
        )
      })
    )
  )

  it.effect("is all that the send costs where both cost the same", () =>
    inWorld(
      () =>
        Effect.gen(function* () {
          const chat = yield* Chatgw
          const acme = yield* principal()
          yield* chat.checkSendAbility(acme, { to: german }, noKeys)
          assert.include(yield* chat.send(acme, codeTo(), noKeys), { request_cost: 0, remaining_balance: 0.95 })
          assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "settle 5"])
          assert.deepStrictEqual(yield* chat.revoke(acme, { request_id: "request-1" }), {
            request_id: "request-1",
            is_refunded: true,
            remaining_balance: 1
          })
          assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "settle 5", "refund 5"])
        }),
      { prices: { chatgw: "0.05", chatgw_probe: "0.05" } }
    )
  )

  it.effect("never makes a send cost less than nothing", () =>
    inWorld(
      () =>
        Effect.gen(function* () {
          const chat = yield* Chatgw
          const acme = yield* principal()
          yield* chat.checkSendAbility(acme, { to: german }, noKeys)
          assert.include(yield* chat.send(acme, codeTo(), noKeys), { request_cost: 0, remaining_balance: 0.93 })
        }),
      { prices: { chatgw: "0.05", chatgw_probe: "0.07" } }
    )
  )

  it.effect("is nothing where the number has no account, and that is asked again", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        gateway.onProbe = () => Effect.succeed({ _tag: "Unreachable" })
        const probe = yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        assert.deepInclude(probe, { is_refunded: true, remaining_balance: 1, phone_number: german })
        assert.deepStrictEqual(probe.delivery_status, { status: "failed", updated_at: 0 })
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 1", "release 1"])
        gateway.onProbe = (_, act) => act
        assert.isFalse((yield* chat.checkSendAbility(acme, { to: german }, noKeys)).is_refunded)
      })
    )
  )

  it.effect("is paid once an hour, and lost after that", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const first = yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        yield* TestClock.adjust("59 minutes")
        assert.deepStrictEqual(yield* chat.checkSendAbility(acme, { to: german }, noKeys), first)
        assert.strictEqual(gateway.probes, 1)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* chat.send(acme, codeTo(), noKeys)).request_cost, 0.05)
        assert.isNull(gateway.sends[0]?.requestId ?? null)
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        assert.strictEqual(gateway.probes, 2)
      })
    )
  )

  it.effect("is made and paid once when two come at once", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const asked = yield* Latch.make(false)
        gateway.onProbe = (_, act) => Effect.andThen(asked.await, act)
        const both = yield* Effect.forkChild(
          Effect.all(
            [chat.checkSendAbility(acme, { to: german }, noKeys), chat.checkSendAbility(acme, { to: german }, noKeys)],
            {
              concurrency: "unbounded"
            }
          )
        )
        yield* TestClock.adjust("5 seconds")
        yield* asked.open
        yield* TestClock.adjust("1 second")
        const [one, other] = yield* Fiber.join(both)
        assert.deepStrictEqual(one, other)
        assert.strictEqual(gateway.probes, 1)
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 1", "settle 1"])
      })
    )
  )

  it.effect("is a conflict while another does not come to an end", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const asked = yield* Latch.make(false)
        gateway.onProbe = (_, act) => Effect.andThen(asked.await, act)
        yield* Effect.forkChild(chat.checkSendAbility(acme, { to: german }, noKeys))
        const second = yield* Effect.forkChild(Effect.flip(chat.checkSendAbility(acme, { to: german }, noKeys)))
        yield* TestClock.adjust("16 seconds")
        assert.strictEqual((yield* Fiber.join(second))._tag, "CONFLICT")
        assert.strictEqual(gateway.probes, 1)
        yield* asked.open
      })
    )
  )

  it.effect("is made anew after one that found no account, and after one in doubt", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        gateway.onProbe = () => Effect.succeed({ _tag: "Unreachable" })
        assert.isTrue((yield* chat.checkSendAbility(acme, { to: german }, noKeys)).is_refunded)
        gateway.onProbe = () => Effect.succeed({ _tag: "Unknown", failure: refusal() })
        yield* Effect.flip(chat.checkSendAbility(acme, { to: german }, noKeys))
        gateway.onProbe = (_, act) => act
        assert.isFalse((yield* chat.checkSendAbility(acme, { to: german }, noKeys)).is_refunded)
        assert.strictEqual(gateway.probes, 3)
      })
    )
  )

  it.effect("is spent by one of two sends that come at once", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        gateway.onSend = (_, act) => Effect.andThen(Effect.yieldNow, act)
        const sent = yield* Effect.all([chat.send(acme, codeTo(), noKeys), chat.send(acme, codeTo(), noKeys)], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(sent.map(({ request_cost }) => request_cost).toSorted(), [0.04, 0.05])
        assert.strictEqual(new Set(sent.map(({ request_id }) => request_id)).size, 2)
        assert.deepStrictEqual(yield* centsOf(acme), { available: 90, held: 0 })
      })
    )
  )

  it.effect("is there again after a send that was refused", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        gateway.onSend = refuse
        yield* Effect.flip(chat.send(acme, codeTo(), noKeys))
        assert.deepStrictEqual(yield* centsOf(acme), { available: 99, held: 0 })
        gateway.onSend = (_, act) => act
        assert.include(yield* chat.send(acme, codeTo(), noKeys), { request_id: "request-1", request_cost: 0.04 })
      })
    )
  )

  it.effect(
    "is paid again where the gateway has forgotten the probe, which is made again before the code goes out",
    () =>
      inWorld(({ gateway }) =>
        Effect.gen(function* () {
          const chat = yield* Chatgw
          const acme = yield* principal()
          yield* chat.checkSendAbility(acme, { to: german }, noKeys)
          gateway.requests.delete("request-1")
          const sent = yield* chat.send(acme, codeTo(), noKeys)
          assert.include(sent, { request_id: "request-2", request_cost: 0.04, remaining_balance: 0.94 })
          assert.deepStrictEqual(
            gateway.sends.map(({ requestId }) => requestId),
            ["request-1", "request-2"]
          )
          assert.strictEqual(gateway.probes, 2)
          yield* chat.revoke(acme, { request_id: "request-2" })
          assert.deepStrictEqual(yield* centsOf(acme), { available: 99, held: 0 })
          assert.strictEqual((yield* chat.send(acme, codeTo(), noKeys)).request_cost, 0.05)
        })
      )
  )

  it.effect("is held before a probe that the gateway has forgotten is made again", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal("live", 0.05)
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        gateway.requests.delete("request-1")
        assert.strictEqual((yield* Effect.flip(chat.send(acme, codeTo(), noKeys)))._tag, "PAYMENT_REQUIRED")
        assert.deepStrictEqual([gateway.probes, gateway.sends.length], [1, 1])
        assert.deepStrictEqual(yield* centsOf(acme), { available: 4, held: 0 })
      })
    )
  )

  it.effect("is not paid again where the account has gone from the chat app since", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        gateway.requests.delete("request-1")
        gateway.onProbe = () => Effect.succeed({ _tag: "Unreachable" })
        assert.strictEqual((yield* Effect.flip(chat.send(acme, codeTo(), noKeys)))._tag, "NOT_FOUND")
        assert.deepStrictEqual(yield* centsOf(acme), { available: 99, held: 0 })
      })
    )
  )

  it.effect("is not paid towards a second send while the first is in doubt", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        gateway.onSend = loseQuestion
        yield* Effect.flip(chat.send(acme, codeTo(), noKeys))
        gateway.onSend = (_, act) => act
        assert.include(yield* chat.send(acme, codeTo(), noKeys), { request_id: "request-2", request_cost: 0.05 })
      })
    )
  )

  it.effect("is spent although that cannot be noted", () => {
    const store = makeMemory()
    const away = new StoreError({ reason: "Unavailable", message: "away" })
    return inWorld(
      () =>
        Effect.gen(function* () {
          const chat = yield* Chatgw
          const acme = yield* principal()
          yield* chat.checkSendAbility(acme, { to: german }, noKeys)
          assert.strictEqual((yield* chat.send(acme, codeTo(), noKeys)).request_cost, 0.04)
          assert.include(yield* chat.send(acme, codeTo(), noKeys), { request_id: "request-2", request_cost: 0.05 })
        }),
      { store: { ...store, report: (report) => (report.target._tag === "Delivery" ? away : store.report(report)) } }
    )
  })

  it.effect("counts for its own account, mode and number only", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        yield* chat.send(yield* principal(), codeTo(), noKeys)
        yield* chat.send({ ...acme, mode: "sandbox" }, codeTo(), noKeys)
        yield* chat.send(acme, codeTo(austrian), noKeys)
        assert.deepStrictEqual(
          gateway.sends.map(({ requestId }) => requestId),
          [null, null]
        )
        assert.strictEqual((yield* chat.send(acme, codeTo(), noKeys)).request_cost, 0.04)
      })
    )
  )

  it.effect("stays held while it is unknown whether the gateway acted", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        gateway.onProbe = () => Effect.succeed({ _tag: "Unknown", failure: refusal() })
        yield* Effect.flip(chat.checkSendAbility(acme, { to: german }, noKeys))
        assert.deepStrictEqual(yield* centsOf(acme), { available: 99, held: 1 })
        gateway.onProbe = () => Effect.succeed({ _tag: "Rejected", failure: refusal() })
        yield* Effect.flip(chat.checkSendAbility(acme, { to: austrian }, noKeys))
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 1", "hold 1", "release 1"])
      })
    )
  )
})
