import { assert, describe, it } from "@effect/vitest"
import * as DeliveryChanges from "../src/pipeline/DeliveryChanges.ts"
import * as ObservedStore from "../src/pipeline/ObservedStore.ts"
import { nextDeliveryId, nextProcessId } from "@watchword/schemas/Ids"
import { zero } from "@watchword/schemas/Money"
import { ServiceUnavailable } from "@watchword/schemas/Errors"
import { accepted, rejected, unknown } from "@watchword/send/Outcome"
import * as Reconciler from "../src/pipeline/Reconciler.ts"
import { Send } from "@watchword/send/Send"
import type { Delivery } from "@watchword/store/Delivery"
import { memory } from "@watchword/store/MemoryStore"
import { Store, about, aboutPart } from "@watchword/store/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { PRICE, layerOn, principalWith, request } from "./fixtures.ts"

const layer = Layer.unwrap(
  Effect.gen(function* () {
    return layerOn(yield* Store).pipe(
      Layer.provideMerge(Layer.succeedContext(yield* Effect.context<DeliveryChanges.DeliveryChanges>()))
    )
  })
).pipe(Layer.provide(ObservedStore.layer), Layer.provide(memory()))

const open = { phase: "unknown", createdBefore: Number.MAX_SAFE_INTEGER, abandoned: false, limit: 9 } as const

const delivered = { status: { name: "delivered", rank: 2 } }

const sent = Effect.gen(function* () {
  const { send } = yield* Send
  return (yield* send(request(yield* principalWith(PRICE)))).delivery
})

/** The statuses of the deliveries that a subscriber hears of. */
const told = Effect.gen(function* () {
  const { onChange } = yield* DeliveryChanges.DeliveryChanges
  const statuses: Array<string> = []
  yield* onChange(DeliveryChanges.isReported, ({ delivery }) => Effect.sync(() => statuses.push(delivery.status.name)))
  return statuses
})

describe("a subscriber", () => {
  it.effect("is told of a delivery that a report is about, as it is stored, and again of a repeat", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const statuses = yield* told
      const { id } = yield* sent
      assert.deepStrictEqual(statuses, [])
      yield* store.report(aboutPart("sms", ["ref-1"], 1, delivered))
      yield* store.report(about(id, 2, delivered))
      yield* store.report(aboutPart("sms", ["no-such-ref"], 3, delivered))
      assert.deepStrictEqual(statuses, ["delivered", "delivered"])
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.effect("is told of closes that the send's own request did not make: a late outcome, and a release", () =>
    Effect.gen(function* () {
      const { resolve, send } = yield* Send
      const { onChange } = yield* DeliveryChanges.DeliveryChanges
      const phases: Array<readonly [phase: string, step: string]> = []
      yield* onChange(DeliveryChanges.isReported, ({ delivery, step }) =>
        Effect.sync(() => phases.push([delivery.phase, step]))
      )
      const by = yield* principalWith(PRICE * 2)
      const lost = unknown(new ServiceUnavailable({ message: "no answer" }))
      const unheard = Effect.andThen(
        Effect.flip(send(request(by, lost))),
        Store.use((store) => store.unresolved(open))
      )
      const [late] = yield* unheard
      assert.deepStrictEqual(phases, [])
      yield* resolve(late?.id ?? assert.fail(), accepted(["ref-2"]), request(by).statuses)
      assert.deepStrictEqual(phases, [["accepted", "left"]])
      yield* unheard
      yield* TestClock.adjust("25 hours")
      yield* Effect.flatMap(Reconciler.make({ failed: {} }), ({ run }) => run)
      assert.deepStrictEqual(phases, [
        ["accepted", "left"],
        ["rejected", "left"]
      ])
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.effect("hears of no close that a request left behind and that has changed nothing", () =>
    Effect.gen(function* () {
      const { closedLater } = yield* DeliveryChanges.DeliveryChanges
      const statuses = yield* told
      const delivery = yield* sent
      const closed = { before: delivery, delivery, available: zero }
      yield* closedLater({ _tag: "Unchanged", ...closed })
      yield* closedLater({ _tag: "Missing" })
      assert.deepStrictEqual(statuses, [])
      yield* closedLater({ _tag: "Closed", ...closed })
      assert.deepStrictEqual(statuses, ["sent"])
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it("of the sandbox hears of no events without a delivery", () => {
    assert.isFalse(DeliveryChanges.isOfSandbox({ step: "events", isNews: true }))
  })

  it.effect("of prices is told of each that has come back, and of no other", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { onChange } = yield* DeliveryChanges.DeliveryChanges
      const phases: Array<string> = []
      yield* onChange(DeliveryChanges.isReturned, ({ delivery }) => Effect.sync(() => phases.push(delivery.phase)))
      const { id } = yield* sent
      yield* store.report(about(id, 1, delivered))
      assert.deepStrictEqual(phases, [])
      yield* store.report(about(id, 2, { refund: true }))
      assert.deepStrictEqual(phases, ["refunded"])
      const { send } = yield* Send
      const down = rejected(new ServiceUnavailable({ message: "The carrier is down." }))
      yield* Effect.flip(send(request(yield* principalWith(PRICE), down)))
      assert.deepStrictEqual(phases, ["refunded", "rejected"])
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.effect("is told no more once its scope is closed", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const statuses = yield* Effect.scoped(told)
      const { id } = yield* sent
      yield* store.report(about(id, 1, delivered))
      assert.deepStrictEqual(statuses, [])
    }).pipe(Effect.provide(layer))
  )

  it.effect("that fails keeps neither the report nor the others from succeeding", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { onChange } = yield* DeliveryChanges.DeliveryChanges
      yield* onChange(DeliveryChanges.isReported, () => Effect.die("a bug"))
      const statuses = yield* told
      const { id } = yield* sent
      assert.strictEqual((yield* store.report(about(id, 1, delivered)))._tag, "Moved")
      assert.deepStrictEqual(statuses, ["delivered"])
    }).pipe(Effect.scoped, Effect.provide(layer))
  )
})

describe("an effect for events", () => {
  const open = {
    claims: [],
    owner: nextProcessId(0),
    close: { outcome: "accepted", status: { name: "sent", rank: 1 }, refs: [], details: {} },
    at: 0
  } as const

  it.effect("runs after each step that may have written some, and after no other", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { onChange } = yield* DeliveryChanges.DeliveryChanges
      const { id: first, ...delivery } = (yield* sent) satisfies Delivery
      let woken = 0
      yield* onChange(DeliveryChanges.isNews, () => Effect.sync(() => void woken++))
      yield* onChange(DeliveryChanges.isNews, () => {
        throw new Error("a bug")
      })
      yield* store.report(about(first, 1, delivered))
      assert.strictEqual(woken, 0)
      const { close: _, ...waiting } = open
      const other = nextDeliveryId(0)
      yield* store.open({ ...waiting, delivery: { ...delivery, id: other, price: zero }, watch: { endpoints: ["a"] } })
      assert.strictEqual(woken, 0)
      const id = nextDeliveryId(0)
      yield* store.open({ ...open, delivery: { ...delivery, id, price: zero }, watch: { endpoints: ["a"] } })
      assert.strictEqual(woken, 1)
      yield* store.report(about(id, 1, delivered))
      yield* store.report(about(id, 1, delivered))
      assert.strictEqual(woken, 2)
      assert.strictEqual((yield* store.eventSummary("a")).pending, 2)
      yield* store.replayEvents({ endpoint: "a", since: 0 })
      assert.strictEqual(woken, 3)
    }).pipe(Effect.scoped, Effect.provide(layer))
  )
})
