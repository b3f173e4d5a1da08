import { describe, expect } from "@effect/vitest"
import type { SmsEvent } from "@watchword/sms/SmsGateway"
import { StoreError } from "@watchword/store/StoreError"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { test } from "../../../../test/live.ts"
import {
  collectEvents,
  linkIs,
  message,
  settled,
  startBound,
  startCarrier,
  startGateway,
  told,
  until
} from "./fixture.ts"
import { receipt } from "@watchword/sandbox/smsc"
import * as wire from "@watchword/sandbox/smsc"

const refsOf = (events: ReadonlyArray<SmsEvent>) =>
  events.map((event) => (event._tag === "Receipt" ? event.refs : event._tag))

const refOf = (outcome: { readonly _tag: string; readonly refs?: ReadonlyArray<string> }) => outcome.refs?.[0]

const unavailable = new StoreError({ reason: "Unavailable", message: "the database is away" })

describe("a receipt", () => {
  test(
    "reaches the handler with all it says, and is acknowledged",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ receipt: (submit) => receipt(submit, "UNDELIV", 10) })
      const gateway = yield* startBound(carrier.url())
      const { events, count } = yield* collectEvents(gateway)
      const sent = message()
      const outcome = yield* gateway.send(sent)
      yield* count(1)
      expect(events).toMatchObject([
        {
          _tag: "Receipt",
          refs: [refOf(outcome)],
          to: sent.to,
          reference: sent.reference,
          status: "undelivered",
          carrierStatus: "UNDELIV",
          carrierError: "000"
        }
      ])
      yield* until(carrier, () => carrier.acknowledgements.length === 1)
      expect(carrier.acknowledgements).toEqual([0])
    })
  )

  test(
    "comes for each part of a long message",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ receipt: (submit) => receipt(submit) })
      const gateway = yield* startBound(carrier.url())
      const { events, count } = yield* collectEvents(gateway)
      const outcome = yield* gateway.send(message("a".repeat(400)))
      yield* count(3)
      expect(outcome._tag === "Accepted" && outcome.refs.map((ref) => [ref])).toEqual(refsOf(events))
    })
  )

  test(
    "is acknowledged only after the handler is done",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ receipt: (submit) => receipt(submit) })
      const gateway = yield* startBound(carrier.url())
      const stored = yield* Deferred.make<void>()
      const { count } = yield* collectEvents(gateway, () => Deferred.await(stored))
      yield* gateway.send(message())
      yield* count(1)
      yield* settled(carrier)
      expect(carrier.acknowledgements).toEqual([])
      yield* Deferred.succeed(stored, undefined)
      yield* until(carrier, () => carrier.acknowledgements.length === 1)
      expect(carrier.acknowledgements).toEqual([0])
    })
  )

  test(
    "that cannot be stored is asked for again, until it can",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ receipt: (submit) => receipt(submit) })
      const gateway = yield* startBound(carrier.url())
      const results = [Effect.fail(unavailable), Effect.die(new Error("a bug")), Effect.void]
      const { events } = yield* collectEvents(gateway, () => results.shift() ?? Effect.void)
      yield* gateway.send(message())
      yield* until(carrier, () => carrier.acknowledgements.length === 3)
      expect(carrier.acknowledgements).toEqual([0x64, 0x64, 0])
      expect(events).toHaveLength(3)
    })
  )

  test(
    "waits for a handler, and goes to the next one when the first has gone",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ receipt: (submit) => receipt(submit) })
      const gateway = yield* startBound(carrier.url())
      yield* gateway.send(message())
      yield* settled(carrier)
      expect(carrier.acknowledgements).toEqual([])
      const scope = yield* Scope.make()
      const first = yield* Scope.provide(collectEvents(gateway), scope)
      yield* first.count(1)
      yield* Scope.close(scope, Exit.void)
      yield* gateway.send(message())
      yield* settled(carrier)
      const second = yield* collectEvents(gateway)
      yield* second.count(1)
      expect([refsOf(first.events), refsOf(second.events)]).toEqual([[["1"]], [["2"]]])
    })
  )

  test(
    "goes to every handler, and is acknowledged when all of them are done",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ receipt: (submit) => receipt(submit) })
      const gateway = yield* startBound(carrier.url())
      const results = [Effect.fail(unavailable), Effect.void]
      const one = yield* collectEvents(gateway)
      const other = yield* collectEvents(gateway, () => results.shift() ?? Effect.void)
      yield* gateway.send(message())
      yield* until(carrier, () => carrier.acknowledgements.length === 2)
      expect(carrier.acknowledgements).toEqual([0x64, 0])
      expect([one.events.length, other.events.length]).toEqual([2, 2])
    })
  )

  test(
    "is handled when it comes in one read with the answer, or before it",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({
        submit: ({ session, sequence, to, text }) => {
          const id = `id-${text}`
          const answer = wire.pdu(wire.resp(wire.command.submit_sm), 0, sequence, wire.cString(id))
          const body = wire.deliverSm({ source: to, text: `id:${id} stat:DELIVRD err:000` })
          const delivery = wire.pdu(wire.command.deliver_sm, 0, sequence, body)
          session.raw(Buffer.concat(text === "after" ? [answer, delivery] : [delivery, answer]))
          return "silence"
        }
      })
      const gateway = yield* startBound(carrier.url())
      const { events, count } = yield* collectEvents(gateway)
      for (const text of ["after", "before"]) {
        expect(yield* gateway.send(message(text))).toMatchObject({ _tag: "Accepted", refs: [`id-${text}`] })
      }
      yield* count(2)
      expect(refsOf(events)).toEqual([["id-after"], ["id-before", "ID-BEFORE"]])
    })
  )

  test(
    "is not lost in a storm of them that come together with their answers",
    Effect.fnUntraced(function* () {
      const messages = 2000
      const carrier = yield* startCarrier({
        submit: ({ text }) => ({ id: text }),
        receipt: (submit) => receipt(submit)
      })
      const gateway = yield* startBound(carrier.url())
      const { events, count } = yield* collectEvents(gateway)
      const outcomes = yield* Effect.all(
        Array.from({ length: messages }, (_, index) => gateway.send(message(`m-${index}`))),
        { concurrency: "unbounded" }
      )
      yield* count(messages)
      expect(new Set(refsOf(events).flat())).toEqual(new Set(outcomes.map(refOf)))
      yield* until(carrier, () => carrier.acknowledgements.length === messages)
      expect(carrier.acknowledgements.every((status) => status === 0)).toBe(true)
    })
  )

  test(
    "may come twice, for an unknown message, and by another bind",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(`${carrier.url("bind=transmitter")},${carrier.url("bind=receiver")}`)
      yield* linkIs(gateway, 1, true)
      const { events, count } = yield* collectEvents(gateway)
      yield* gateway.send(message())
      for (const submit of carrier.submits) {
        carrier.deliver(receipt(submit).fields)
        carrier.deliver(receipt(submit).fields)
        carrier.deliver(receipt({ ...submit, id: "unknown-1" }).fields)
      }
      yield* count(3)
      expect(refsOf(events)).toEqual([["1"], ["1"], ["unknown-1", "UNKNOWN-1"]])
      yield* until(carrier, () => carrier.acknowledgements.length === 3)
      expect(carrier.acknowledgements).toEqual([0, 0, 0])
    })
  )

  test(
    "has its id in another base than the answer had",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({
        submit: () => ({ id: "00AB01CD" }),
        receipt: (submit) => receipt({ ...submit, id: String(0xab01cd) })
      })
      const gateway = yield* startBound(carrier.url())
      const { events, count } = yield* collectEvents(gateway)
      const outcome = yield* gateway.send(message())
      yield* count(1)
      expect(refsOf(events)).toEqual([[refOf(outcome)]])
    })
  )

  test(
    "is not lost when the client goes away before it is stored: it comes again at the next bind",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ receipt: (submit) => receipt(submit) })
      const scope = yield* Scope.make()
      const first = yield* Scope.provide(startBound(carrier.url()), scope)
      const before = yield* Scope.provide(
        collectEvents(first, () => Effect.fail(unavailable)),
        scope
      )
      yield* first.send(message())
      yield* before.count(1)
      yield* Scope.close(scope, Exit.void)
      const second = yield* startBound(carrier.url())
      const { events, count } = yield* collectEvents(second)
      yield* count(1)
      expect(refsOf(events)).toEqual(refsOf(before.events.slice(0, 1)))
      yield* until(carrier, () => carrier.acknowledgements.includes(0))
      expect(carrier.acknowledgements).toEqual([...before.events.map(() => 0x64), 0])
    })
  )

  test(
    "may come as a data_sm",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url())
      const { events, count } = yield* collectEvents(gateway)
      const parameters = [wire.tlv(wire.RECEIPTED_MESSAGE_ID, "x-1\0"), wire.tlv(wire.MESSAGE_STATE, wire.octets(2))]
      for (const session of carrier.sessions) {
        const answer = yield* Effect.promise(() => session.request(wire.command.data_sm, wire.dataSm({ parameters })))
        expect(answer).toMatchObject({ command: "data_sm_resp", command_status: 0 })
      }
      yield* count(1)
      expect(events[0]).toMatchObject({ refs: ["x-1", "X-1"], status: "delivered" })
    })
  )
})

describe("a delivery that is no receipt, or cannot be read", () => {
  const odd: ReadonlyArray<readonly [string, Buffer]> = [
    ["the text of a subscriber", wire.deliverSm({ esmClass: 0, text: "STOP" })],
    ["a receipt that names no message", wire.deliverSm({ text: "stat:DELIVRD" })],
    ["an empty body", Buffer.alloc(0)],
    ["a body without NULs", Buffer.alloc(50, 0x41)],
    ["a short_message that is cut off", wire.deliverSm({ text: "id:1 stat:DELIVRD" }).subarray(0, -5)]
  ]
  for (const [what, body] of odd) {
    test(
      `is acknowledged and changes nothing: ${what}`,
      Effect.fnUntraced(function* () {
        const carrier = yield* startCarrier()
        const gateway = yield* startBound(carrier.url())
        const { events } = yield* collectEvents(gateway)
        for (const session of carrier.sessions) {
          const answer = yield* Effect.promise(() => session.request(wire.command.deliver_sm, body))
          expect(answer).toMatchObject({ command: "deliver_sm_resp", command_status: 0 })
        }
        expect(events).toEqual([])
        expect(told(yield* gateway.send(message()))).toBe("Accepted")
        expect(carrier.connections).toBe(1)
      })
    )
  }

  test(
    "does not stop the link from reading: parameters cut off, times that are none",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url())
      const { events, count } = yield* collectEvents(gateway)
      const text = "id:7-7 stat:DELIVRD err:000"
      const bodies = [
        wire.deliverSm({ text, parameters: [wire.octets(0x04, 0x27, 0, 9, 2)] }),
        wire.deliverSm({ text, parameters: [wire.octets(0x04, 0x27, 0)] }),
        wire.deliverSm({ text, parameters: [wire.tlv(wire.MESSAGE_STATE, Buffer.alloc(0))] }),
        wire.deliverSm({ text, validityPeriod: "R" })
      ]
      for (const session of carrier.sessions) {
        for (const body of bodies) {
          const answer = yield* Effect.promise(() => session.request(wire.command.deliver_sm, body))
          expect(answer).toMatchObject({ command_status: 0 })
        }
      }
      yield* count(bodies.length)
      expect(events.every((event) => event._tag === "Receipt" && event.status === "delivered")).toBe(true)
      expect(carrier.connections).toBe(1)
    })
  )
})

describe("closing", () => {
  test(
    "waits for answers and handles receipts meanwhile, and then unbinds",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const scope = yield* Scope.make()
      const gateway = yield* Scope.provide(startGateway(carrier.url(), { drain: "10 seconds" }), scope)
      yield* linkIs(gateway, 0, true)
      const { count } = yield* collectEvents(gateway)
      const fiber = yield* Effect.forkChild(gateway.send(message()))
      yield* until(carrier, () => carrier.submits.length === 1)
      const [session] = carrier.sessions
      const commands = () => (session?.received ?? []).map(({ command }) => command)

      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      expect(told(yield* gateway.send(message("too late")))).toBe("Rejected SERVICE_UNAVAILABLE")
      expect(commands()).not.toContain("unbind")
      for (const submit of carrier.submits) carrier.deliver(receipt({ ...submit, id: "x-1" }).fields)
      yield* count(1)
      yield* until(carrier, () => carrier.acknowledgements.length === 1)
      carrier.submits[0]?.answer({ id: "x-1" })
      expect(told(yield* Fiber.join(fiber))).toBe("Accepted")
      yield* Fiber.join(closing)
      yield* until(carrier, () => carrier.sessions.size === 0)
      expect(commands().slice(-2)).toEqual(["deliver_sm_resp", "unbind"])
      expect(carrier.submits).toHaveLength(1)
      expect(carrier.connections).toBe(1)
    })
  )

  test(
    "gives up at its limit: what was written is unknown, the rest was not sent",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const scope = yield* Scope.make()
      const gateway = yield* Scope.provide(startGateway(carrier.url("window=1"), { drain: "50 millis" }), scope)
      const written = yield* Effect.forkChild(gateway.send(message("written")))
      yield* until(carrier, () => carrier.submits.length === 1)
      const waiting = yield* Effect.forkChild(gateway.send(message("waiting")))
      yield* settled(carrier)
      yield* Scope.close(scope, Exit.void)
      expect(told(yield* Fiber.join(written))).toBe("Unknown SERVICE_UNAVAILABLE")
      expect(told(yield* Fiber.join(waiting))).toBe("Rejected SERVICE_UNAVAILABLE")
      yield* until(carrier, () => carrier.sessions.size === 0)
      expect(carrier.submits).toHaveLength(1)
    })
  )

  test(
    "does not wait for ever for a carrier that does not answer unbind",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ unbind: "silence" })
      const scope = yield* Scope.make()
      const gateway = yield* Scope.provide(startGateway(carrier.url("timeout=0.1")), scope)
      yield* linkIs(gateway, 0, true)
      yield* Scope.close(scope, Exit.void)
      yield* until(carrier, () => carrier.sessions.size === 0)
      expect(yield* gateway.health).toMatchObject([{ up: false }])
    })
  )
})
