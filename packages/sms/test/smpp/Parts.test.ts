import { describe, expect } from "@effect/vitest"
import { BadRequest } from "@watchword/schemas/Errors"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { test, timed } from "../../../../test/live.ts"
import { collectEvents, message, passing, settled, startBound, startCarrier, told, until } from "./fixture.ts"
import { STATUS } from "@watchword/sandbox/smsc"

describe("a message of several parts", () => {
  const long = "a".repeat(153 * 3)

  test(
    "is rejected when the first of them is refused, and the rest is not sent",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => ({ status: STATUS.RINVDSTADR }) })
      const gateway = yield* startBound(carrier.url("window=1"))
      expect(told(yield* gateway.send(message(long)))).toBe("Rejected BAD_REQUEST")
      expect(carrier.submits.map(({ part }) => part?.[2])).toEqual([1])
    })
  )

  test(
    "is incomplete when a later one is refused, with the refs of those that were taken, and the rest is not sent",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({
        submit: ({ part }) => (part?.[2] === 2 ? { status: STATUS.RINVDSTADR } : {})
      })
      const gateway = yield* startBound(carrier.url("window=1"))
      expect(yield* gateway.send(message(long))).toEqual({
        _tag: "Incomplete",
        failure: new BadRequest({
          message:
            "The carrier took 1 of the text's 3 parts, and not the rest. The text was not sent whole, and is charged."
        }),
        refs: ["1"],
        details: { carrier_status: "ESME_RINVDSTADR" },
        isTaken: true
      })
      expect(carrier.submits.map(({ part }) => part?.[2])).toEqual([1, 2])
      // A withdrawn part does not go out with the next message either.
      carrier.script.submit = () => ({})
      expect(told(yield* gateway.send(message("next")))).toBe("Accepted")
      expect(carrier.submits).toHaveLength(3)
    })
  )

  test(
    "is unknown when one of them is, with the refs of the others",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: ({ part }) => (part?.[2] === 2 ? "silence" : {}) })
      const gateway = yield* startBound(carrier.url("timeout=0.1"))
      const outcome = yield* gateway.send(message(long))
      expect(outcome).toMatchObject({
        _tag: "Unknown",
        failure: { _tag: "TEMPORARY_UNAVAILABLE" },
        refs: [expect.any(String), expect.any(String)]
      })
    })
  )

  for (const [how, answer, told] of [
    ["taken late", { id: "p1" }, { _tag: "Incomplete", isTaken: true, refs: ["p1"] }],
    ["refused late", { status: STATUS.RINVDSTADR }, { _tag: "Rejected" }]
  ] as const) {
    timed(
      `may be incomplete when one is refused and another silent, which is settled when that one is ${how}`,
      Effect.fnUntraced(function* () {
        const carrier = yield* startCarrier({
          submit: ({ part }) => (part?.[2] === 1 ? "silence" : { status: STATUS.RINVDSTADR })
        })
        const gateway = yield* startBound(carrier.url("enquire=3600"))
        const { count, events } = yield* collectEvents(gateway)
        const fiber = yield* Effect.forkChild(gateway.send(message(long)))
        yield* until(carrier, () => carrier.submits.length === 3)
        yield* settled(carrier)
        yield* TestClock.adjust("8 seconds")
        expect(yield* Fiber.join(fiber)).toMatchObject({
          _tag: "Incomplete",
          failure: { _tag: "BAD_REQUEST" },
          refs: [],
          isTaken: false
        })
        carrier.submits[0]?.answer(answer)
        yield* count(1)
        expect(events).toMatchObject([{ _tag: "LateOutcome", outcome: told }])
      })
    )
  }

  timed(
    "is refused before the first when a link takes fewer in the time that a message may wait",
    Effect.fnUntraced(function* () {
      const slow = yield* startCarrier()
      const slower = yield* startCarrier()
      const gateway = yield* startBound(`${slow.url("rate=5")},${slower.url("rate=2")}`, { deadline: "1 second" })
      expect(yield* gateway.send(message("a".repeat(153 * 6)))).toMatchObject({
        _tag: "Rejected",
        failure: { issues: [{ path: "text", message: "has 6 parts, and the carrier takes 5 in time" }] }
      })
      expect([...slow.submits, ...slower.submits]).toEqual([])
      const fiber = yield* Effect.forkChild(gateway.send(message("a".repeat(153 * 5))))
      yield* passing(() => slow.submits.length + slower.submits.length === 5)
      expect(told(yield* Fiber.join(fiber))).toBe("Accepted")
    })
  )

  timed(
    "has its time once more for the rest when a part was written",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startBound(carrier.url("window=1&timeout=60&enquire=3600"))
      const other = yield* Effect.forkChild(gateway.send(message("other")))
      yield* until(carrier, () => carrier.submits.length === 1)
      const fiber = yield* Effect.forkChild(gateway.send(message(long)))
      yield* settled(carrier)
      // Each answer makes room for the next part.
      for (const [index, wait] of [9, 9, 0, 0].entries()) {
        yield* TestClock.adjust(`${wait} seconds`)
        carrier.submits[index]?.answer({})
        yield* settled(carrier)
      }
      expect(told(yield* Fiber.join(other))).toBe("Accepted")
      expect(told(yield* Fiber.join(fiber))).toBe("Accepted")
    })
  )

  timed(
    "is incomplete when its time is over in the middle",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({
        submit: ({ part }) => (part?.[2] === 3 ? { status: STATUS.RTHROTTLED } : {})
      })
      const gateway = yield* startBound(carrier.url())
      const fiber = yield* Effect.forkChild(gateway.send(message(long)))
      yield* until(carrier, () => carrier.submits.length === 3)
      for (let second = 0; second < 10; second++) {
        yield* settled(carrier)
        yield* TestClock.adjust("1 second")
      }
      expect(yield* Fiber.join(fiber)).toMatchObject({
        _tag: "Incomplete",
        failure: { _tag: "TEMPORARY_UNAVAILABLE" },
        refs: ["1", "2"]
      })
    })
  )
})
