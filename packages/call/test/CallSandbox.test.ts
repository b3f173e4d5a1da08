import { assert, it } from "@effect/vitest"
import type { Call, Ended, Service } from "@watchword/call/CallGateway"
import { callSandbox } from "@watchword/sandbox/simulator"
import { nextDeliveryId } from "@watchword/schemas/Ids"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { memory } from "@watchword/store/MemoryStore"
import * as Settings from "@watchword/store/Settings"
import { StoreError } from "@watchword/store/StoreError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"

const order = (maxRing = 10): Call => ({
  delivery: nextDeliveryId(0),
  caller: E164.make("+4930901820123"),
  callee: E164.make("+4915123456789"),
  maxRing
})

const start = Effect.gen(function* () {
  const store = yield* Layer.build(Layer.provideMerge(Settings.layer, memory()))
  const { gateway } = yield* Effect.provideContext(callSandbox, store)
  const ends: Array<Ended> = []
  yield* gateway.events((event) => Effect.sync(() => void (event._tag === "Ended" && ends.push(event))))
  return { gateway, ends }
})

const dial = Effect.fnUntraced(function* (gateway: Service, call: Call) {
  const placed = yield* Effect.forkChild(gateway.dial(call, () => Effect.void))
  yield* TestClock.adjust("300 millis")
  return yield* Fiber.join(placed)
})

it.effect("places nothing when the dialog cannot be stored", () =>
  Effect.gen(function* () {
    const { ends, gateway } = yield* start
    const call = order()
    const failure = new StoreError({ reason: "Unavailable", message: "The disk is full." })
    assert.strictEqual(yield* Effect.flip(gateway.dial(call, () => Effect.fail(failure))), failure)
    assert.isFalse(yield* gateway.hangup(call.delivery, "ORIGINATOR_CANCEL"))
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(ends, [])
  })
)

it.effect("ends a call whose dial is interrupted, without an event", () =>
  Effect.gen(function* () {
    const { ends, gateway } = yield* start
    const call = order()
    const placed = yield* Effect.forkChild(gateway.dial(call, () => Effect.void))
    yield* TestClock.adjust("100 millis")
    yield* Fiber.interrupt(placed)
    assert.isFalse(yield* gateway.hangup(call.delivery, "NO_ANSWER"))
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(ends, [])
  })
)

it.effect("hangs up by itself as a backstop, a little after the limit", () =>
  Effect.gen(function* () {
    const { ends, gateway } = yield* start
    const call = order(10)
    assert.strictEqual((yield* dial(gateway, call))._tag, "Ringing")
    yield* TestClock.adjust("11 seconds")
    assert.deepStrictEqual(ends, [])
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(
      ends.map(({ cause, delivery }) => [delivery, cause.hangupCause]),
      [[call.delivery, "NO_ANSWER"]]
    )
  })
)

it.effect("drains: ends its calls and takes no more", () =>
  Effect.gen(function* () {
    const { ends, gateway } = yield* start
    const calls = [order(), order()]
    for (const call of calls) yield* dial(gateway, call)
    yield* gateway.drain
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(
      ends.map(({ cause, delivery }) => [delivery, cause.hangupCause]),
      calls.map(({ delivery }) => [delivery, "ORIGINATOR_CANCEL"])
    )
    const late = yield* gateway.dial(order(), () => Effect.void)
    assert.strictEqual(late._tag === "Failed" && late.failure._tag, "SERVICE_UNAVAILABLE")
  })
)

it.effect("tells the end of each call that it is given to recover", () =>
  Effect.gen(function* () {
    const { ends, gateway } = yield* start
    const left = [nextDeliveryId(0), nextDeliveryId(0)]
    yield* gateway.recover(left.map((delivery) => ({ delivery, dialog: "sandbox" })))
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(
      ends.map(({ delivery }) => delivery),
      left
    )
  })
)
