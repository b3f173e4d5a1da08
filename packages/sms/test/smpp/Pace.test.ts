import { describe, expect } from "@effect/vitest"
import type { Service } from "@watchword/sms/SmsGateway"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { timed, turns } from "../../../../test/live.ts"
import { linkIs, message, settled, startBound, startCarrier, told } from "./fixture.ts"
import { STATUS } from "@watchword/sandbox/smsc"

/** Sends so many texts at once, each to a number of its own. */
const burst = (gateway: Service, size: number) =>
  Effect.forEach(
    Array.from({ length: size }, (_, index) => E164.make(`+49151234${String(index).padStart(5, "0")}`)),
    (to) => Effect.forkChild(gateway.send(message("Your code is 123456", { to })))
  )

/** Lets ten seconds pass in steps that the sockets keep up with, and answers what became of the texts. */
const outcomes = Effect.fnUntraced(function* (fibers: Effect.Success<ReturnType<typeof burst>>) {
  for (let step = 0; step < 200; step++) {
    yield* turns
    yield* TestClock.adjust("50 millis")
  }
  return (yield* Effect.forEach(fibers, Fiber.join)).map(told)
})

/** Takes so many texts in a second of the test, which the steps of the test count. */
const takes = (status: number) => {
  const second = { left: 0 }
  return { second, submit: () => (second.left-- > 0 ? {} : { status }) }
}

describe("a link whose carrier throttles", () => {
  timed(
    "one text of a quiet minute sends a hundred at once a moment later",
    Effect.fnUntraced(function* () {
      const answers = [{}, { status: STATUS.RTHROTTLED }]
      const carrier = yield* startCarrier({ submit: () => answers.shift() ?? {} })
      const gateway = yield* startBound(carrier.url("enquire=3600"))
      yield* gateway.send(message())
      yield* TestClock.adjust("1 second")
      const second = yield* Effect.forkChild(gateway.send(message()))
      yield* Effect.promise(() => carrier.until(() => carrier.submits.length === 2))
      yield* settled(carrier)
      yield* TestClock.adjust("3 seconds")
      expect(told(yield* Fiber.join(second))).toBe("Accepted")
      const told100 = yield* outcomes(yield* burst(gateway, 100))
      expect(told100).toEqual(told100.map(() => "Accepted"))
    })
  )

  const words = [
    ["ESME_RTHROTTLED", STATUS.RTHROTTLED],
    ["ESME_RMSGQFUL", STATUS.RMSGQFUL]
  ] as const
  for (const [name, status] of words) {
    timed(
      `by ${name} learns its rate, sends no more than that, and shows it`,
      Effect.fnUntraced(function* () {
        const { second, submit } = takes(status)
        const carrier = yield* startCarrier({ submit })
        const gateway = yield* startBound(carrier.url("enquire=3600"))
        const fibers = yield* burst(gateway, 60)
        for (let step = 0; step < 190; step++) {
          if (step % 20 === 0) second.left = 10
          yield* turns
          yield* TestClock.adjust("50 millis")
        }
        const settledTexts = (yield* Effect.forEach(fibers, Fiber.join)).map(told)
        expect(settledTexts).toEqual(settledTexts.map(() => "Accepted"))
        const [health] = yield* gateway.health
        expect(health?.rate).toBeGreaterThan(4)
        expect(health?.rate).toBeLessThan(25)
        // The burst that it did not know the rate of, and little more.
        expect(carrier.submits.length).toBeLessThan(60 + 60 + 25)
      })
    )
  }

  timed(
    "in the middle of a text of several parts sends each part until it was taken once",
    Effect.fnUntraced(function* () {
      const answers = [{}, { status: STATUS.RTHROTTLED }, { status: STATUS.RTHROTTLED }, {}]
      const carrier = yield* startCarrier({ submit: () => answers.shift() ?? {} })
      const gateway = yield* startBound(carrier.url("enquire=3600"))
      const fiber = yield* Effect.forkChild(gateway.send(message("a".repeat(153 * 4))))
      const [outcome] = yield* outcomes([fiber])
      expect(outcome).toBe("Accepted")
      const taken = carrier.submits.filter(({ id }) => id !== "").map(({ part }) => part?.[2])
      expect(taken.toSorted()).toEqual([1, 2, 3, 4])
      expect(carrier.submits).toHaveLength(6)
    })
  )

  timed(
    "leaves the rest to a link that is not throttled",
    Effect.fnUntraced(function* () {
      const slow = yield* startCarrier({ submit: () => ({ status: STATUS.RTHROTTLED }) })
      const quick = yield* startCarrier()
      const gateway = yield* startBound(`${slow.url("enquire=3600")},${quick.url("enquire=3600")}`)
      yield* linkIs(gateway, 1, true)
      const all = yield* outcomes(yield* burst(gateway, 50))
      expect(all).toEqual(all.map(() => "Accepted"))
      expect(quick.submits).toHaveLength(50)
      expect((yield* gateway.health).map(({ rate }) => rate !== null)).toEqual([true, false])
    })
  )
})

describe("a full queue of one recipient", () => {
  timed(
    "does not slow the link down",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({
        submit: ({ to }) => (to.endsWith("00000") ? { status: STATUS.RMSGQFUL } : {})
      })
      const gateway = yield* startBound(carrier.url("enquire=3600"))
      const all = yield* outcomes([
        ...(yield* burst(gateway, 1)),
        ...(yield* burst(gateway, 1)),
        ...(yield* burst(gateway, 5))
      ])
      expect(all.filter((each) => each === "Accepted")).toHaveLength(4)
      expect((yield* gateway.health)[0]?.rate).toBeNull()
    })
  )
})
