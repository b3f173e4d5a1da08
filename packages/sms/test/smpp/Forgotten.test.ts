import { describe, expect } from "@effect/vitest"
import type { Service } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { logged, test, timed, turns } from "../../../../test/live.ts"
import { linkIs, message, passing, settled, startBound, startCarrier, startGateway, told, until } from "./fixture.ts"
import type { Session, Submit } from "@watchword/sandbox/smsc"
import * as wire from "@watchword/sandbox/smsc"

const warnings = (log: string) => log.split("\n").filter((line) => line.includes('"level":"WARN"'))

const isUp = (gateway: Service) => Effect.map(gateway.health, (links) => links.map(({ up }) => up))

describe("a carrier that has forgotten a bind", () => {
  const statuses = [
    ["ESME_RINVBNDSTS", 0x04],
    ["ESME_RBINDFAIL", 0x0d],
    ["ESME_RINVPASWD", 0x0e],
    ["ESME_RINVSYSID", 0x0f]
  ] as const
  for (const [name, status] of statuses) {
    timed(
      `and answers a text with ${name} is bound again, and gets the text again`,
      Effect.fnUntraced(function* () {
        const forgotten = new Set<Session>()
        const carrier = yield* startCarrier({ submit: ({ session }) => (forgotten.has(session) ? { status } : {}) })
        const [, log] = yield* logged(
          Effect.gen(function* () {
            const gateway = yield* startBound(carrier.url())
            expect(told(yield* gateway.send(message("before")))).toBe("Accepted")
            for (const session of carrier.bound) forgotten.add(session)
            const fiber = yield* Effect.forkChild(gateway.send(message("after")))
            yield* linkIs(gateway, 0, false)
            yield* passing(() => carrier.binds.length === 2)
            expect(told(yield* Fiber.join(fiber))).toBe("Accepted")
            expect(yield* isUp(gateway)).toEqual([true])
          })
        )
        expect(carrier.submits.map(({ text }) => text)).toEqual(["before", "after", "after"])
        expect(warnings(log)).toHaveLength(1)
        expect(warnings(log)[0]).toContain(`has lost the bind: it answered a submit_sm with ${name}`)
      })
    )
  }

  test(
    "gets nothing more, and the next link all that waits",
    Effect.fnUntraced(function* () {
      const first = yield* startCarrier({ submit: () => ({ status: 0x04 }) })
      const second = yield* startCarrier()
      const gateway = yield* startBound(`${first.url()},${second.url()}`)
      yield* linkIs(gateway, 1, true)
      first.script.bind = () => "silence"
      for (const text of ["one", "two"]) expect(told(yield* gateway.send(message(text)))).toBe("Accepted")
      expect(first.submits.map(({ text }) => text)).toEqual(["one"])
      expect(second.submits.map(({ text }) => text)).toEqual(["one", "two"])
      expect(yield* isUp(gateway)).toEqual([false, true])
    })
  )

  timed(
    "still answers for what it took before, and each part leaves once",
    Effect.fnUntraced(function* () {
      const waiting: Array<Submit> = []
      const carrier = yield* startCarrier({
        submit: (submit) => {
          if (submit.part?.[2] !== 1) return { status: 0x04 }
          waiting.push(submit)
          return "silence"
        }
      })
      const gateway = yield* startBound(carrier.url())
      const fiber = yield* Effect.forkChild(gateway.send(message("a".repeat(200))))
      yield* linkIs(gateway, 0, false)
      yield* settled(carrier)
      carrier.script.submit = () => ({ id: "second" })
      waiting[0]?.answer({ id: "first" })
      yield* passing(() => carrier.binds.length === 2)
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "Accepted", refs: ["first", "second"] })
      expect(carrier.submits.map(({ part }) => part?.[2])).toEqual([1, 2, 2])
    })
  )

  timed(
    "and leaves others unanswered makes those unknown, and they do not leave again",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: ({ text }) => (text === "lost" ? "silence" : { status: 0x04 }) })
      const gateway = yield* startBound(carrier.url())
      const lost = yield* Effect.forkChild(gateway.send(message("lost")))
      yield* until(carrier, () => carrier.submits.length === 1)
      const other = yield* Effect.forkChild(gateway.send(message("other")))
      yield* linkIs(gateway, 0, false)
      carrier.script.submit = () => ({})
      yield* passing(() => carrier.binds.length === 2)
      expect(told(yield* Fiber.join(other))).toBe("Accepted")
      expect(told(yield* Fiber.join(lost))).toBe("Unknown SERVICE_UNAVAILABLE")
      expect(carrier.submits.map(({ text }) => text)).toEqual(["lost", "other", "other"])
    })
  )

  test(
    "only for one text, which it refuses by that status, gets it twice and keeps its session for the others",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: ({ text }) => (text === "odd" ? { status: 0x04 } : {}) })
      const [, log] = yield* logged(
        Effect.gen(function* () {
          const gateway = yield* startBound(carrier.url())
          const odd = yield* Effect.forkChild(gateway.send(message("odd")))
          yield* until(carrier, () => carrier.binds.length === 2)
          expect(told(yield* Fiber.join(odd))).toBe("Rejected SERVICE_UNAVAILABLE")
          expect(told(yield* gateway.send(message("other")))).toBe("Accepted")
          yield* turns
        })
      )
      expect(carrier.submits.filter(({ text }) => text === "odd")).toHaveLength(2)
      expect(log).toContain("give it a meaning by errors=")
    })
  )

  timed(
    "again and again is tried ever more slowly, and the text is refused in the end",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => ({ status: 0x04 }) })
      const gateway = yield* startBound(carrier.url())
      const fiber = yield* Effect.forkChild(gateway.send(message()))
      yield* passing(() => fiber.pollUnsafe() !== undefined)
      expect(told(yield* Fiber.join(fiber))).toBe("Rejected SERVICE_UNAVAILABLE")
      // 1, 2, 4 and 8 seconds at most, and half of them at least.
      expect(carrier.binds.length).toBeLessThanOrEqual(6)
    })
  )

  timed(
    "and answers enquire_link so is bound again",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url("enquire=5"))
      carrier.script.enquireLink = 0x04
      yield* TestClock.adjust("5 seconds")
      yield* linkIs(gateway, 0, false)
      carrier.script.enquireLink = "answer"
      yield* passing(() => carrier.binds.length > 1)
      yield* linkIs(gateway, 0, true)
      expect(carrier.binds).toHaveLength(2)
    })
  )

  timed(
    "is not one that knows no enquire_link",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ enquireLink: 0x03 })
      const gateway = yield* startBound(carrier.url("enquire=5"))
      yield* TestClock.adjust("5 seconds")
      yield* settled(carrier)
      expect(told(yield* gateway.send(message()))).toBe("Accepted")
      expect(carrier.binds).toHaveLength(1)
    })
  )
})

/** Lets half seconds pass, each with turns for the sockets. */
const elapse = Effect.fnUntraced(function* (steps: number) {
  for (let step = 0; step < steps; step++) {
    yield* TestClock.adjust("500 millis")
    yield* turns
  }
})

describe("a carrier that still holds a lost session", () => {
  timed(
    "is tried every 5 ± 2 seconds, with a warning, and texts wait for it",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const [, log] = yield* logged(
        Effect.gen(function* () {
          const gateway = yield* startBound(carrier.url())
          carrier.script.bind = () => 0x05
          for (const { socket } of carrier.sessions) socket.destroy()
          yield* linkIs(gateway, 0, false)
          // The ghost of a session lasts longer than a message may wait.
          yield* elapse(40)
          expect(carrier.binds.length).toBeGreaterThanOrEqual(1 + 3)
          expect(carrier.binds.length).toBeLessThanOrEqual(1 + 7)
          const fiber = yield* Effect.forkChild(gateway.send(message("waits")))
          carrier.script.bind = () => 0
          yield* elapse(15)
          expect(told(yield* Fiber.join(fiber))).toBe("Accepted")
        })
      )
      expect(log).toContain("ESME_RALYBND: it still holds a session that was lost, or another program is bound")
      expect(log).not.toContain('"level":"ERROR"')
    })
  )

  timed(
    "for two minutes makes no text wait any longer",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url())
      carrier.script.bind = () => 0x05
      for (const { socket } of carrier.sessions) socket.destroy()
      yield* linkIs(gateway, 0, false)
      yield* elapse(260)
      expect(told(yield* gateway.send(message()))).toBe("Rejected SERVICE_UNAVAILABLE")
    })
  )
})

describe("a nack without a status", () => {
  timed(
    "is no bind",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({
        bind: (bind, session) => {
          session.raw(wire.pdu(wire.command.generic_nack, 0, bind.sequence_number))
          return "silence"
        }
      })
      const gateway = yield* startGateway(carrier.url())
      yield* until(carrier, () => carrier.binds.length === 1)
      yield* settled(carrier)
      expect(yield* isUp(gateway)).toEqual([false])
    })
  )
})
