import { assert, describe, it } from "@effect/vitest"
import { Chatgw } from "@watchword/chatgw/Chatgw"
import { status, statuses } from "../src/internal/ChatgwStatus.ts"
import { ChatgwStatus, VerificationStatus } from "@watchword/schemas/Chatgw"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { noKeys } from "@watchword/send/Claims"
import { makeReconciler } from "@watchword/send/pipeline"
import { StoreError } from "@watchword/store/StoreError"
import { makeMemory } from "@watchword/store/MemoryStore"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import {
  type World,
  centsOf,
  codeTo,
  entriesOf,
  german,
  inWorld,
  loseAnswer,
  loseQuestion,
  page,
  principal
} from "./fixture.ts"

const newest = Effect.fnUntraced(function* (acme: Effect.Success<ReturnType<typeof principal>>) {
  const chat = yield* Chatgw
  const { list } = yield* chat.list(acme, page({ rows_per_page: 1 }))
  assert(list[0] !== undefined)
  return list[0]
})

/** Begins a send that the gateway has taken, whose answer comes when the test lets it. */
const underWay = Effect.fnUntraced(function* ({ gateway }: World, before: Effect.Effect<void, unknown>) {
  const chat = yield* Chatgw
  const acme = yield* principal()
  gateway.onSend = (_, act) => Effect.tap(act, () => Effect.orDie(before))
  return { acme, sent: yield* chat.send(acme, codeTo(), noKeys) }
})

describe("what the gateway says", () => {
  it.effect("moves a message forward, never back, however often it is said", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom(...ChatgwStatus.literals), { maxLength: 8 }), (told) =>
          inWorld(({ gateway }) =>
            Effect.gen(function* () {
              const chat = yield* Chatgw
              const acme = yield* principal()
              const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
              let expected: ChatgwStatus = "sent"
              for (const delivery of told) {
                yield* gateway.tell(request_id, { delivery })
                if (status[delivery].rank > status[expected].rank) expected = delivery
                assert.strictEqual((yield* chat.get(acme, uuid)).delivery_status, expected)
              }
            })
          ).pipe(Effect.runPromise)
        ),
        { numRuns: 50 }
      )
    )
  )

  it.effect("of a code is final, but for a wrong one", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...VerificationStatus.literals), { minLength: 1, maxLength: 8 }),
          fc.nat({ max: 8 }),
          fc.boolean(),
          (told, early, atOnce) =>
            inWorld((world) =>
              Effect.gen(function* () {
                const chat = yield* Chatgw
                const { gateway } = world
                const tell = (states: ReadonlyArray<VerificationStatus>) =>
                  Effect.forEach(
                    states,
                    (verification) => gateway.tell(gateway.newest(), { verification }, { of: null }),
                    { concurrency: atOnce ? "unbounded" : 1 }
                  )
                // Some of it before the send has closed.
                const { acme, sent } = yield* underWay(world, tell(told.slice(0, early)))
                yield* tell(told.slice(early))
                const first = told.find((state) => state !== "code_invalid") ?? "code_invalid"
                assert.strictEqual((yield* chat.get(acme, sent.uuid)).verification_status, first)
                assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "settle 5"])
              })
            ).pipe(Effect.runPromise)
        ),
        { numRuns: 100 }
      )
    )
  )

  it.effect("may come before the answer to the send, with or without the word of whose it is", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { gateway } = world
        for (const event of [{}, { of: null }]) {
          const tell = Effect.suspend(() =>
            gateway.tell(gateway.newest(), { delivery: "delivered", verification: "code_valid" }, event)
          )
          const { acme, sent } = yield* underWay(world, Effect.andThen(tell, tell))
          assert.strictEqual(sent.status, "delivered")
          assert.strictEqual(sent.remaining_balance, 0.95)
          assert.include(yield* newest(acme), {
            uuid: sent.uuid,
            request_id: gateway.newest(),
            status: "DELIVERED",
            verification_status: "code_valid"
          })
          assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "settle 5"])
        }
      })
    )
  )

  it.effect("may be a refund before the answer to the send", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const { gateway } = world
        for (const event of [{}, { of: null }]) {
          const tell = Effect.suspend(() =>
            gateway.tell(gateway.newest(), { delivery: "expired", isRefunded: true }, event)
          )
          const { acme } = yield* underWay(world, Effect.andThen(tell, tell))
          assert.include(yield* newest(acme), { status: "EXPIRED", is_refunded: true })
          assert.deepStrictEqual(yield* centsOf(acme), { available: 100, held: 0 })
        }
      })
    )
  )

  it.effect("refunds a message that was never read, with its probe, once", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        const { request_id } = yield* chat.send(acme, codeTo(), noKeys)
        const told = gateway.tell(request_id, { delivery: "expired", isRefunded: true })
        yield* Effect.all([told, told, told], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* centsOf(acme), { available: 100, held: 0 })
        assert.lengthOf(yield* entriesOf(acme), 6)
      })
    )
  )

  it.effect("of a probe gives its price back, and no send spends it any more", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const { request_id } = yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        yield* gateway.tell(request_id, { isRefunded: true }, { delivery: null })
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 1", "settle 1", "refund 1"])
        assert.include(yield* chat.send(acme, codeTo(), noKeys), { request_cost: 0.05, request_id: "request-2" })
      })
    )
  )

  it.effect("about requests and deliveries that no record has changes nothing", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
        const before = yield* chat.get(acme, uuid)
        const of = nextDeliveryId(0)
        yield* gateway.tell(request_id, { delivery: "read" }, { requestId: "another", of: null, isRefunded: true })
        yield* gateway.tell(request_id, { delivery: "read" }, { requestId: "a-third", of, isRefunded: true })
        assert.deepStrictEqual(yield* chat.get(acme, uuid), before)
        assert.deepStrictEqual(yield* centsOf(acme), { available: 95, held: 0 })
      })
    )
  )

  it.effect("is to be said again when the store cannot take it", () => {
    const store = makeMemory()
    let isAway = false
    const away = new StoreError({ reason: "Unavailable", message: "away" })
    return inWorld(
      ({ gateway }) =>
        Effect.gen(function* () {
          const chat = yield* Chatgw
          const acme = yield* principal()
          const { request_id, uuid } = yield* chat.send(acme, codeTo(), noKeys)
          isAway = true
          assert.isTrue(Exit.isFailure(yield* Effect.exit(gateway.tell(request_id, { delivery: "read" }))))
          isAway = false
          yield* gateway.tell(request_id)
          assert.strictEqual((yield* chat.get(acme, uuid)).status, "READ")
        }),
      { store: { ...store, report: (report) => Effect.suspend(() => (isAway ? away : store.report(report))) } }
    )
  })
})

describe("a send whose answer was lost", () => {
  it.effect("keeps its hold until the gateway speaks of it", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        gateway.onSend = loseAnswer
        assert.strictEqual((yield* Effect.flip(chat.send(acme, codeTo(), noKeys)))._tag, "TEMPORARY_UNAVAILABLE")
        assert.include(yield* newest(acme), { status: "SENT", request_id: null })
        assert.deepStrictEqual(yield* centsOf(acme), { available: 95, held: 5 })
        yield* gateway.tell("request-1", { delivery: "delivered" })
        assert.include(yield* newest(acme), { status: "DELIVERED", request_id: "request-1" })
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "settle 5"])
        // From now on it is a request as any other.
        const code = codeTo().code
        const checked = yield* chat.checkVerificationStatus(acme, { request_id: "request-1", code })
        assert.strictEqual(checked.verification_status?.status, "code_valid")
      })
    )
  )

  it.effect("is settled by what came before it was lost", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const { gateway } = world
        const acme = yield* principal()
        gateway.onSend = (message, act) =>
          loseAnswer(
            message,
            Effect.tap(act, () => Effect.orDie(gateway.tell(gateway.newest(), { delivery: "read" })))
          )
        yield* Effect.flip(chat.send(acme, codeTo(), noKeys))
        assert.include(yield* newest(acme), { status: "READ", request_id: "request-1" })
        assert.deepStrictEqual(yield* entriesOf(acme), ["hold 5", "settle 5"])
      })
    )
  )

  it.effect("is released with its probe when it is refunded", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        yield* chat.checkSendAbility(acme, { to: german }, noKeys)
        gateway.onSend = loseAnswer
        yield* Effect.flip(chat.send(acme, codeTo(), noKeys))
        yield* gateway.tell("request-1", { delivery: "expired", isRefunded: true })
        assert.deepStrictEqual(yield* centsOf(acme), { available: 100, held: 0 })
        assert.include(yield* newest(acme), { status: "EXPIRED", is_refunded: true })
      })
    )
  )

  it.effect("is released after a day of silence, and a later word changes nothing about that", () =>
    inWorld(({ gateway }) =>
      Effect.gen(function* () {
        const chat = yield* Chatgw
        const acme = yield* principal()
        const reconciler = yield* makeReconciler({ failed: { chatgw: statuses.failed } })
        gateway.onSend = loseQuestion
        yield* Effect.flip(chat.send(acme, codeTo(), noKeys))
        gateway.onSend = loseAnswer
        yield* Effect.flip(chat.send(acme, codeTo(), noKeys))
        yield* TestClock.adjust("25 hours")
        yield* reconciler.run
        assert.deepStrictEqual(yield* centsOf(acme), { available: 100, held: 0 })
        assert.strictEqual((yield* newest(acme)).status, "FAILED")
        yield* gateway.tell("request-1", { delivery: "expired", isRefunded: true })
        assert.deepStrictEqual(yield* centsOf(acme), { available: 100, held: 0 })
        assert.lengthOf(yield* entriesOf(acme), 4)
      })
    )
  )
})
