import { describe, expect } from "@effect/vitest"
import { BadRequest } from "@watchword/schemas/Errors"
import { AccountId, DeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { test, timed } from "../../../../test/live.ts"
import {
  collectEvents,
  linkIs,
  message,
  passing,
  settled,
  startBound,
  startCarrier,
  startGateway,
  told,
  until
} from "./fixture.ts"

const STATUS = {
  RSYSERR: 0x08,
  RINVSRCADR: 0x0a,
  RINVDSTADR: 0x0b,
  RMSGQFUL: 0x14,
  RTHROTTLED: 0x58,
  RTLVNOTALLWD: 0xc1,
  RPROHIBITED: 0x101
}

describe("the carrier's answer", () => {
  const refusals = [
    ["a wrong recipient", STATUS.RINVDSTADR, "BAD_REQUEST", "to", "ESME_RINVDSTADR"],
    ["a wrong sender", STATUS.RINVSRCADR, "BAD_REQUEST", "from", "ESME_RINVSRCADR"],
    ["a system error", STATUS.RSYSERR, "TEMPORARY_UNAVAILABLE", undefined, "ESME_RSYSERR"],
    ["a fault of our account", STATUS.RPROHIBITED, "SERVICE_UNAVAILABLE", undefined, "ESME_RPROHIBITED"],
    ["a status of its own", 0x401, "TEMPORARY_UNAVAILABLE", undefined, "0x00000401"]
  ] as const
  for (const [what, status, code, path, name] of refusals) {
    test(
      `that is ${what} rejects the message`,
      Effect.fnUntraced(function* () {
        const carrier = yield* startCarrier({ submit: () => ({ status }) })
        const gateway = yield* startBound(carrier.url())
        const outcome = yield* gateway.send(message())
        expect(outcome).toMatchObject({
          _tag: "Rejected",
          failure: { _tag: code, ...(path === undefined ? {} : { issues: [{ path }] }) },
          details: { carrier_status: name }
        })
        expect(carrier.submits).toHaveLength(1)
      })
    )
  }

  test(
    "may be a generic_nack, which refuses as well",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({
        submit: ({ session, sequence }) => {
          session.raw(nack(sequence, sequence % 2 === 0 ? 0x02 : 0x00))
          return "silence"
        }
      })
      const gateway = yield* startBound(carrier.url())
      expect(told(yield* gateway.send(message()))).toBe("Rejected SERVICE_UNAVAILABLE")
      expect(told(yield* gateway.send(message()))).toBe("Rejected SERVICE_UNAVAILABLE")
    })
  )

  test(
    "without a message id accepts the message all the same",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => ({ id: "" }) })
      const gateway = yield* startBound(carrier.url())
      expect(yield* gateway.send(message())).toEqual({ _tag: "Accepted", refs: [], details: {} })
    })
  )

  test(
    "that no user_message_reference is wanted is heeded, and the message sent without",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({
        submit: ({ reference }) => (reference === null ? {} : { status: STATUS.RTLVNOTALLWD })
      })
      const gateway = yield* startBound(carrier.url())
      const outcomes = yield* Effect.all([gateway.send(message()), gateway.send(message())], {
        concurrency: "unbounded"
      })
      expect(outcomes.map(told)).toEqual(["Accepted", "Accepted"])
      expect(told(yield* gateway.send(message()))).toBe("Accepted")
      expect(carrier.submits.map(({ reference }) => reference === null)).toEqual([false, false, true, true, true])
      carrier.behaviour.submit = () => ({ status: STATUS.RTLVNOTALLWD })
      expect(told(yield* gateway.send(message()))).toBe("Rejected SERVICE_UNAVAILABLE")
    })
  )
})

describe("a message with parameters that the carrier refuses", () => {
  test(
    "is rejected with the field's name, and others keep their reference",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({
        submit: ({ text }) => (text === "with tlvs" ? { status: STATUS.RTLVNOTALLWD } : {})
      })
      const gateway = yield* startBound(carrier.url())
      const tlvs = [{ tag: 0x1400, value: "x" }]
      expect(yield* gateway.send(message("with tlvs", { tlvs }))).toMatchObject({
        _tag: "Rejected",
        failure: { _tag: "BAD_REQUEST", issues: [{ path: "tlvs" }] }
      })
      yield* gateway.send(message("without"))
      expect(carrier.submits.map(({ reference }) => reference === null)).toEqual([false, true, false])
    })
  )
})

const nack = (sequence: number, status: number): Buffer => {
  const frame = Buffer.alloc(16)
  frame.writeUInt32BE(16, 0)
  frame.writeUInt32BE(0x8000_0000, 4)
  frame.writeUInt32BE(status, 8)
  frame.writeUInt32BE(sequence, 12)
  return frame
}

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
      // What was withdrawn does not go out with the next message either.
      carrier.behaviour.submit = () => ({})
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

describe("a carrier that does not answer", () => {
  const delivery = DeliveryId.make("01KAJ3T8ZZ0000000000000001")

  timed(
    "leaves the outcome unknown, and the message is not written again",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startBound(carrier.url("enquire=3600"))
      const fiber = yield* Effect.forkChild(gateway.send(message()))
      yield* until(carrier, () => carrier.submits.length === 1)
      yield* TestClock.adjust("7999 millis")
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect(told(yield* Fiber.join(fiber))).toBe("Unknown TEMPORARY_UNAVAILABLE")
      carrier.behaviour.submit = () => ({})
      expect(told(yield* gateway.send(message("next")))).toBe("Accepted")
      expect(carrier.submits.map(({ text }) => text)).toEqual(["Your code is 123456", "next"])
    })
  )

  timed(
    "and does after all settles the outcome by an event",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startBound(carrier.url("enquire=3600"))
      const { events, count } = yield* collectEvents(gateway)
      const fiber = yield* Effect.forkChild(gateway.send(message("late", { delivery })))
      yield* until(carrier, () => carrier.submits.length === 1)
      yield* TestClock.adjust("8 seconds")
      expect(told(yield* Fiber.join(fiber))).toBe("Unknown TEMPORARY_UNAVAILABLE")
      yield* TestClock.adjust("1 minute")
      carrier.submits[0]?.answer({ id: "17" })
      yield* count(1)
      expect(events).toEqual([
        { _tag: "LateOutcome", delivery, outcome: { _tag: "Accepted", refs: ["17"], details: {} } }
      ])
    })
  )

  timed(
    "and refuses after all settles it as well, and nothing is tried again",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startBound(carrier.url("enquire=3600"))
      const { events, count } = yield* collectEvents(gateway)
      yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(gateway.send(message("late", { delivery }))))
      yield* until(carrier, () => carrier.submits.length === 3)
      yield* TestClock.adjust("8 seconds")
      const statuses = [STATUS.RINVDSTADR, STATUS.RTHROTTLED, STATUS.RMSGQFUL]
      for (const [index, status] of statuses.entries()) carrier.submits[index]?.answer({ status })
      yield* count(3)
      expect(events.map((event) => event._tag === "LateOutcome" && told(event.outcome))).toEqual([
        "Rejected BAD_REQUEST",
        "Rejected TEMPORARY_UNAVAILABLE",
        "Rejected TEMPORARY_UNAVAILABLE"
      ])
      yield* TestClock.adjust("10 seconds")
      yield* settled(carrier)
      expect(carrier.submits).toHaveLength(3)
    })
  )

  timed(
    "for some of the parts settles the message with the last of them, with all refs in order",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: ({ part }) => (part?.[2] === 2 ? { id: "p2" } : "silence") })
      const gateway = yield* startBound(carrier.url())
      const { events, count } = yield* collectEvents(gateway)
      const fiber = yield* Effect.forkChild(gateway.send(message("a".repeat(153 * 3), { delivery })))
      yield* until(carrier, () => carrier.submits.length === 3)
      yield* settled(carrier)
      yield* TestClock.adjust("8 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "Unknown", refs: ["p2"] })
      carrier.submits[2]?.answer({ id: "p3" })
      yield* settled(carrier)
      expect(events).toEqual([])
      carrier.submits[0]?.answer({ id: "p1" })
      yield* count(1)
      expect(events).toEqual([
        { _tag: "LateOutcome", delivery, outcome: { _tag: "Accepted", refs: ["p1", "p2", "p3"], details: {} } }
      ])
    })
  )

  timed(
    "several times in a row is asked whether it is there, and hung up on when it is not",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startBound(carrier.url("enquire=3600"))
      const enquiries = () =>
        [...carrier.sessions].flatMap(({ received }) => received).filter(({ command }) => command === "enquire_link")
      const sendInVain = Effect.fnUntraced(function* () {
        const before = carrier.submits.length
        const fiber = yield* Effect.forkChild(gateway.send(message()))
        yield* until(carrier, () => carrier.submits.length === before + 1)
        yield* TestClock.adjust("8 seconds")
        expect(told(yield* Fiber.join(fiber))).toBe("Unknown TEMPORARY_UNAVAILABLE")
      })
      yield* sendInVain()
      yield* sendInVain()
      yield* settled(carrier)
      expect(enquiries()).toHaveLength(0)
      yield* sendInVain()
      yield* until(carrier, () => enquiries().length === 1)
      expect((yield* gateway.health)[0]?.up).toBe(true)

      carrier.behaviour.enquireLink = "silence"
      yield* Effect.forEach([1, 2, 3], sendInVain)
      yield* until(carrier, () => enquiries().length === 2)
      yield* TestClock.adjust("5 seconds")
      yield* linkIs(gateway, 0, false)
    })
  )
})

describe("a connection that is lost", () => {
  test(
    "makes every message of the window unknown, and none is written again",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startBound(carrier.url())
      const fibers = yield* Effect.forEach([1, 2, 3, 4, 5], () => Effect.forkChild(gateway.send(message())))
      yield* until(carrier, () => carrier.submits.length === 5)
      for (const { socket } of carrier.sessions) socket.destroy()
      const outcomes = yield* Effect.forEach(fibers, Fiber.join)
      expect(outcomes.map(told)).toEqual(outcomes.map(() => "Unknown SERVICE_UNAVAILABLE"))
      carrier.behaviour.submit = () => ({})
      yield* linkIs(gateway, 0, true)
      expect(told(yield* gateway.send(message()))).toBe("Accepted")
      expect(carrier.submits).toHaveLength(6)
    })
  )

  test(
    "does not lose what was not written: it goes when the link is back",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startBound(carrier.url("window=1"))
      const first = yield* Effect.forkChild(gateway.send(message("first")))
      yield* until(carrier, () => carrier.submits.length === 1)
      const second = yield* Effect.forkChild(gateway.send(message("second")))
      carrier.behaviour.submit = () => ({})
      for (const { socket } of carrier.sessions) socket.resetAndDestroy()
      expect(told(yield* Fiber.join(first))).toBe("Unknown SERVICE_UNAVAILABLE")
      expect(told(yield* Fiber.join(second))).toBe("Accepted")
      expect(carrier.submits.map(({ text }) => text)).toEqual(["first", "second"])
    })
  )

  test(
    "rejects what was not written when the deadline passes before the link is back",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startBound(carrier.url("window=1"), { deadline: "200 millis" })
      const first = yield* Effect.forkChild(gateway.send(message("first")))
      yield* until(carrier, () => carrier.submits.length === 1)
      const second = yield* Effect.forkChild(gateway.send(message("second")))
      yield* Effect.promise(() => carrier.stop())
      expect(told(yield* Fiber.join(first))).toBe("Unknown SERVICE_UNAVAILABLE")
      expect(told(yield* Fiber.join(second))).toBe("Rejected SERVICE_UNAVAILABLE")
    })
  )
})

describe("a carrier that is not there", () => {
  test(
    "rejects messages: within the deadline at first, at once later",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      yield* Effect.promise(() => carrier.stop())
      const gateway = yield* startGateway(carrier.url().replace(":0", ":1"), { deadline: "100 millis" })
      expect(told(yield* gateway.send(message()))).toBe("Rejected SERVICE_UNAVAILABLE")
      expect(told(yield* gateway.send(message()))).toBe("Rejected SERVICE_UNAVAILABLE")
    })
  )

  test(
    "yet takes a message that was sent before the first bind",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startGateway(carrier.url())
      expect(told(yield* gateway.send(message()))).toBe("Accepted")
    })
  )
})

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
      // Ten messages a second are what it goes on with.
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
      carrier.behaviour.submit = () => ({})
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
          setTimeout(() => unanswered--, 5)
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
        // A turn of the event loop for each step lets the timers be set anew.
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
