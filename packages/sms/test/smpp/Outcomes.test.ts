import { describe, expect } from "@effect/vitest"
import { DeliveryId } from "@watchword/schemas/Ids"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { logged, test, timed } from "../../../../test/live.ts"
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
import { STATUS } from "@watchword/sandbox/smsc"

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
      carrier.script.submit = () => ({ status: STATUS.RTLVNOTALLWD })
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
      carrier.script.submit = () => ({})
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

      carrier.script.enquireLink = "silence"
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
      carrier.script.submit = () => ({})
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
      carrier.script.submit = () => ({})
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

describe("a refusal that is about the link", () => {
  const ofSettings = [
    [0x48, "ESME_RINVSRCTON", "source_ton"],
    [0x49, "ESME_RINVSRCNPI", "name_npi"],
    [0x50, "ESME_RINVDSTTON", "dest_ton"],
    [0x51, "ESME_RINVDSTNPI", "dest_npi"]
  ] as const
  for (const [status, name, option] of ofSettings) {
    timed(
      `(${name}) is no fault of the client, and one warning a minute with ${option} for the operator`,
      Effect.fnUntraced(function* () {
        const carrier = yield* startCarrier({ submit: () => ({ status }) })
        const [, log] = yield* logged(
          Effect.gen(function* () {
            const gateway = yield* startBound(carrier.url("enquire=3600"))
            const refuse = Effect.map(gateway.send(message()), told)
            const outcomes = [yield* refuse, yield* refuse]
            yield* TestClock.adjust("1 minute")
            outcomes.push(yield* refuse)
            expect(outcomes).toEqual(outcomes.map(() => "Rejected SERVICE_UNAVAILABLE"))
          })
        )
        const warnings = log.split("\n").filter((line) => line.includes('"level":"WARN"'))
        expect(warnings).toHaveLength(2)
        for (const warning of warnings) expect(warning).toMatch(new RegExp(`${name}.*${option}`))
      })
    )
  }

  test(
    "is what the option errors says, and each of its meanings has an answer of its own",
    Effect.fnUntraced(function* () {
      const given = "0x401:recipient,0x402:sender,0x403:text,0x404:message,0x405:temporary,0x406:account,0x407:settings"
      const carrier = yield* startCarrier({ submit: ({ text }) => ({ status: Number(text) }) })
      const gateway = yield* startBound(carrier.url(`errors=${given},ESME_RSUBMITFAIL:recipient`))
      const answers: Array<unknown> = []
      for (const status of [0x401, 0x402, 0x403, 0x404, 0x405, 0x406, 0x407, 0x45, 0x408]) {
        const outcome = yield* gateway.send(message(String(status)))
        const failure = outcome._tag === "Rejected" ? outcome.failure : null
        answers.push([failure?._tag, failure?._tag === "BAD_REQUEST" ? failure.issues?.[0]?.path : undefined])
      }
      expect(answers).toEqual([
        ["BAD_REQUEST", "to"],
        ["BAD_REQUEST", "from"],
        ["BAD_REQUEST", "text"],
        ["BAD_REQUEST", undefined],
        ["TEMPORARY_UNAVAILABLE", undefined],
        ["SERVICE_UNAVAILABLE", undefined],
        ["SERVICE_UNAVAILABLE", undefined],
        ["BAD_REQUEST", "to"],
        ["TEMPORARY_UNAVAILABLE", undefined]
      ])
    })
  )

  test(
    "in a status of the carrier's own is noted, and shown to operators",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: ({ text }) => ({ status: Number(text) }) })
      const gateway = yield* startBound(carrier.url("errors=0x402:temporary"))
      for (const status of [0x401, 0x402, 0x401, 0x08]) yield* gateway.send(message(String(status)))
      const [link] = yield* gateway.health
      expect(link?.unrecognized).toMatchObject([{ kind: "submit_sm_status", word: "0x401", count: 2 }])
    })
  )

  timed(
    "and by the option errors asks for a pause has the text leave again",
    Effect.fnUntraced(function* () {
      const answers = [{ status: 0x400 }]
      const carrier = yield* startCarrier({ submit: () => answers.shift() ?? {} })
      const gateway = yield* startBound(carrier.url("errors=0x400:throttled"))
      const fiber = yield* Effect.forkChild(gateway.send(message()))
      yield* passing(() => carrier.submits.length === 2)
      expect(told(yield* Fiber.join(fiber))).toBe("Accepted")
    })
  )
})
