/**
 * Rehearsals during live messages to the same phone.
 */
import { E164 } from "@watchword/schemas/PhoneNumber"
import type { Heard } from "@watchword/send/rehearsal"
import type { Service, SmsEvent } from "@watchword/sms/SmsGateway"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { eventually, test, timed } from "../../../../../test/live.ts"
import { message, startBound, startCarrier, until } from "../fixture.ts"
import { receipt } from "@watchword/sandbox/smsc"

const to = E164.make("+4915123456789")

const rehearse = (gateway: Service, heard: Array<Heard>, wait = 1_000) =>
  gateway.rehearsal?.run({ carrier: "acme", to, from: "Watchword", wait }, (each) => void heard.push(each)) ??
  Effect.void

const collected = Effect.fnUntraced(function* (gateway: Service) {
  const events: Array<SmsEvent> = []
  yield* gateway.events((event) => Effect.sync(() => void events.push(event)))
  return events
})

test("a customer's receipt for the phone of a rehearsal takes its usual way", () =>
  Effect.gen(function* () {
    const carrier = yield* startCarrier()
    const gateway = yield* startBound(carrier.url("carrier=acme"))
    const events = yield* collected(gateway)
    expect((yield* gateway.send(message("Your code is 123456", { to })))._tag).toBe("Accepted")
    const heard: Array<Heard> = []
    const running = yield* Effect.forkChild(rehearse(gateway, heard))
    yield* until(carrier, () => carrier.submits.length === 5)
    const [customers] = carrier.submits
    if (customers !== undefined) carrier.deliver(receipt(customers).fields, customers)
    yield* until(carrier, () => carrier.acknowledgements.length === 1)
    expect(events).toMatchObject([{ _tag: "Receipt", refs: ["acme:1"], status: "delivered" }])
    yield* Fiber.join(running)
    expect(heard.filter(({ kind }) => kind === "receipt")).toEqual([])
    expect(heard.filter(({ kind }) => kind === "stray")).toHaveLength(1)
  }))

test("a receipt that comes before its answer is the rehearsal's, and a text of a subscriber is not", () =>
  Effect.gen(function* () {
    const carrier = yield* startCarrier()
    carrier.script.submit = (submit) => {
      const id = String(carrier.nextId++)
      carrier.deliver(receipt({ ...submit, id, reference: null }).fields, submit)
      carrier.deliver({ source: submit.to, esmClass: 0, text: "STOP" }, submit)
      return { id, after: 30 }
    }
    const gateway = yield* startBound(carrier.url("carrier=acme"))
    const events = yield* collected(gateway)
    const heard: Array<Heard> = []
    yield* rehearse(gateway, heard)
    expect(heard.filter(({ kind }) => kind === "receipt").map(({ facts }) => facts["by"])).toEqual(
      Array.from({ length: 4 }, () => "literal")
    )
    expect(heard.filter(({ kind }) => kind === "stray")).toHaveLength(4)
    expect(events).toEqual([])
    expect(carrier.acknowledgements.every((status) => status === 0)).toBe(true)
  }))

test("a part without an answer is not written again, and the rest is sent", () =>
  Effect.gen(function* () {
    const carrier = yield* startCarrier({ submit: ({ text }) => (text.includes("1 of 3") ? "silence" : {}) })
    const gateway = yield* startBound(carrier.url("carrier=acme&timeout=0.2"))
    const heard: Array<Heard> = []
    yield* rehearse(gateway, heard, 100)
    expect(carrier.submits).toHaveLength(4)
    expect(heard.filter(({ kind }) => kind === "note").map(({ read }) => read)).toEqual([
      "no answer came in time: whether it was sent is not known, and it is not sent again"
    ])
  }))

test("a receipt that comes after the rehearsal has ended is acknowledged, and no record's", () =>
  Effect.gen(function* () {
    const carrier = yield* startCarrier()
    const gateway = yield* startBound(carrier.url("carrier=acme"))
    const events = yield* collected(gateway)
    const heard: Array<Heard> = []
    yield* rehearse(gateway, heard, 50)
    const before = heard.length
    for (const submit of carrier.submits) carrier.deliver(receipt(submit).fields, submit)
    yield* until(carrier, () => carrier.acknowledgements.length === 4)
    expect(carrier.acknowledgements).toEqual([0, 0, 0, 0])
    expect(events).toEqual([])
    expect(heard).toHaveLength(before)
  }))

timed("an answer says how long it took from its own text on", () =>
  Effect.gen(function* () {
    const carrier = yield* startCarrier({ submit: () => "silence" })
    const gateway = yield* startBound(carrier.url("carrier=acme"))
    yield* TestClock.adjust("1 second")
    const heard: Array<Heard> = []
    const running = yield* Effect.forkChild(rehearse(gateway, heard))
    yield* until(carrier, () => carrier.submits.length > 0)
    yield* TestClock.adjust("300 millis")
    carrier.submits[0]?.answer({ id: "a-1" })
    yield* eventually(Effect.sync(() => heard.some(({ kind }) => kind === "answer")))
    expect(heard.find(({ kind }) => kind === "answer")).toMatchObject({ facts: { id: "a-1", took: 300 } })
    yield* Fiber.interrupt(running)
  })
)
