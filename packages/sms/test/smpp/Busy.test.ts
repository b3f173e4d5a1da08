import { realTime } from "../../../../test/until.ts"
import { describe, expect } from "@effect/vitest"
import { AccountId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { test, timed } from "../../../../test/live.ts"
import { message, passing, settled, startBound, startCarrier, told, until } from "./fixture.ts"
import { STATUS } from "@watchword/sandbox/smsc"

describe("a carrier that is too busy", () => {
  timed(
    "and throttles gets the message again after a pause, and then half as many as before",
    Effect.fnUntraced(function* () {
      const answers = [{ status: STATUS.RTHROTTLED }]
      const carrier = yield* startCarrier({ submit: () => answers.shift() ?? {} })
      const gateway = yield* startBound(carrier.url("rate=20"))
      const fibers = yield* Effect.forEach(range(20), () => Effect.forkChild(gateway.send(message())))
      yield* until(carrier, () => carrier.submits.length === 1)
      yield* settled(carrier)
      yield* TestClock.adjust("999 millis")
      yield* settled(carrier)
      expect(carrier.submits).toHaveLength(1)
      yield* TestClock.adjust("1 millis")
      yield* until(carrier, () => carrier.submits.length === 2)
      expect(carrier.submits[1]?.reference).toBe(carrier.submits[0]?.reference)
      // It continues with ten messages a second.
      yield* TestClock.adjust("900 millis")
      yield* settled(carrier)
      expect(carrier.submits.length).toBeGreaterThanOrEqual(10)
      expect(carrier.submits.length).toBeLessThanOrEqual(12)
      yield* TestClock.adjust("2 seconds")
      const outcomes = yield* Effect.forEach(fibers, Fiber.join)
      expect(outcomes.map(told)).toEqual(outcomes.map(() => "Accepted"))
      expect(carrier.submits).toHaveLength(21)
    })
  )

  timed(
    "and throttles until the deadline rejects the message",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => ({ status: STATUS.RTHROTTLED }) })
      const gateway = yield* startBound(carrier.url())
      const fiber = yield* Effect.forkChild(gateway.send(message()))
      yield* until(carrier, () => carrier.submits.length === 1)
      for (let second = 0; second < 10; second++) {
        yield* settled(carrier)
        yield* TestClock.adjust("1 second")
      }
      expect(told(yield* Fiber.join(fiber))).toBe("Rejected TEMPORARY_UNAVAILABLE")
      expect(carrier.submits.length).toBeGreaterThan(2)
    })
  )

  timed(
    "and has a full queue gets that message again, while others go on",
    Effect.fnUntraced(function* () {
      const answers = [{ status: STATUS.RMSGQFUL }]
      const carrier = yield* startCarrier({ submit: () => answers.shift() ?? {} })
      const gateway = yield* startBound(carrier.url())
      const waiting = yield* Effect.forkChild(gateway.send(message("a")))
      yield* until(carrier, () => carrier.submits.length === 1)
      yield* settled(carrier)
      expect(told(yield* gateway.send(message("b")))).toBe("Accepted")
      yield* TestClock.adjust("500 millis")
      expect(told(yield* Fiber.join(waiting))).toBe("Accepted")
      expect(carrier.submits.map(({ text }) => text)).toEqual(["a", "b", "a"])
    })
  )

  timed(
    "and has a full queue until the deadline rejects the message",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => ({ status: STATUS.RMSGQFUL }) })
      const gateway = yield* startBound(carrier.url(), { deadline: "800 millis" })
      const fiber = yield* Effect.forkChild(gateway.send(message()))
      yield* until(carrier, () => carrier.submits.length === 1)
      yield* settled(carrier)
      yield* TestClock.adjust("500 millis")
      expect(yield* Fiber.join(fiber)).toMatchObject({
        _tag: "Rejected",
        failure: { _tag: "TEMPORARY_UNAVAILABLE" },
        details: { carrier_status: "ESME_RMSGQFUL" }
      })
      expect(carrier.submits).toHaveLength(2)
    })
  )

  timed(
    "and leaves the window full until the deadline rejects what waits",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startBound(carrier.url("window=1&timeout=20&enquire=3600"))
      const first = yield* Effect.forkChild(gateway.send(message("a")))
      yield* until(carrier, () => carrier.submits.length === 1)
      const second = yield* Effect.forkChild(gateway.send(message("b")))
      yield* settled(carrier)
      yield* TestClock.adjust("10 seconds")
      expect(told(yield* Fiber.join(second))).toBe("Rejected TEMPORARY_UNAVAILABLE")
      yield* TestClock.adjust("10 seconds")
      expect(told(yield* Fiber.join(first))).toBe("Unknown TEMPORARY_UNAVAILABLE")
      expect(carrier.submits).toHaveLength(1)
    })
  )

  timed(
    "keeps what waits even when a message is sent again at the moment of a refusal",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startBound(carrier.url("window=1&timeout=60&enquire=3600"))
      yield* Effect.forkChild(gateway.send(message("first")))
      yield* until(carrier, () => carrier.submits.length === 1)
      const retried = yield* Effect.forkChild(
        Effect.flatMap(gateway.send(message("refused")), () => gateway.send(message("again")))
      )
      yield* settled(carrier)
      yield* TestClock.adjust("5 seconds")
      const waiting = yield* Effect.forkChild(gateway.send(message("waiting")))
      yield* settled(carrier)
      yield* TestClock.adjust("5 seconds")
      carrier.script.submit = () => ({})
      carrier.submits[0]?.answer({})
      expect(told(yield* Fiber.join(waiting))).toBe("Accepted")
      expect(told(yield* Fiber.join(retried))).toBe("Accepted")
      expect(carrier.submits.map(({ text }) => text)).toEqual(["first", "waiting", "again"])
    })
  )

  timed(
    "and has long texts of one account waiting takes those of others between them",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url("rate=10"))
      const flood = message("a".repeat(153 * 50))
      yield* Effect.forEach(range(10), () => Effect.forkChild(gateway.send(flood)))
      const account = AccountId.make("acc_01KAJ3T8ZZ0000000000000001")
      const others = yield* Effect.forEach(range(5), () =>
        Effect.forkChild(gateway.send(message("Your code is 123456", { account })))
      )
      yield* passing(() => others.every((fiber) => fiber.pollUnsafe() !== undefined))
      expect((yield* Effect.forEach(others, Fiber.join)).map(told)).toEqual(others.map(() => "Accepted"))
    })
  )

  test(
    "never has more messages unanswered than the window allows",
    Effect.fnUntraced(function* () {
      let unanswered = 0
      let most = 0
      const carrier = yield* startCarrier({
        submit: () => {
          most = Math.max(most, ++unanswered)
          void realTime(5, "the carrier has the text, and has not answered").then(() => unanswered--)
          return { after: 10 }
        }
      })
      const gateway = yield* startBound(carrier.url("window=7"))
      const outcomes = yield* Effect.all(
        Array.from({ length: 100 }, () => gateway.send(message())),
        { concurrency: "unbounded" }
      )
      expect(outcomes.every(({ _tag }) => _tag === "Accepted")).toBe(true)
      expect(most).toBe(7)
    })
  )

  timed(
    "is not sent more messages a second than was agreed",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url("rate=50"))
      const fibers = yield* Effect.forEach(range(40), () => Effect.forkChild(gateway.send(message())))
      const sentBy = Effect.fnUntraced(function* (millis: number) {
        // A turn of the event loop for each step lets the timers be set again.
        for (let step = 0; step < millis; step += 20) {
          yield* TestClock.adjust("20 millis")
          yield* settled(carrier)
        }
        return carrier.submits.length
      })
      yield* settled(carrier)
      // One is due every 20 milliseconds, and one may be early.
      expect(carrier.submits).toHaveLength(2)
      expect(yield* sentBy(100)).toBe(7)
      expect(yield* sentBy(400)).toBe(27)
      expect(yield* sentBy(260)).toBe(40)
      expect((yield* Effect.forEach(fibers, Fiber.join)).every(({ _tag }) => _tag === "Accepted")).toBe(true)
    })
  )
})

const range = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, index) => index)
