import { describe, expect } from "@effect/vitest"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { type Smsc, type Written, command, dataSm, deliverSm, pdu, written } from "@watchword/sandbox/smsc"
import type { SmsEvent } from "@watchword/sms/SmsGateway"
import { StoreError } from "@watchword/store/StoreError"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { eventually, logged, test, timed } from "../../../../test/live.ts"
import { collectEvents, linkIs, passing, settled, startBound, startCarrier, startGateway, until } from "./fixture.ts"

const OURS = E164.make("+491713920000")
const THEIRS = "+4915123456789"
const RECEIVES = "receives=%2B491713920000"

const unavailable = new StoreError({ reason: "Unavailable", message: "the database is away" })

const textsOf = (events: ReadonlyArray<SmsEvent>) => events.flatMap((event) => (event._tag === "Text" ? [event] : []))
const saidIn = (events: ReadonlyArray<SmsEvent>) =>
  textsOf(events).flatMap(({ isWhole, text }) => (isWhole ? [text] : []))

const texting = Effect.fnUntraced(function* (handle: () => Effect.Effect<void, StoreError> = () => Effect.void) {
  const carrier = yield* startCarrier({}, { retry: 10 })
  const gateway = yield* startBound(carrier.url(RECEIVES))
  return { carrier, gateway, ...(yield* collectEvents(gateway, handle)) }
})

const write = (carrier: Smsc, text: Partial<Written>) =>
  Effect.promise(() => carrier.write({ from: THEIRS, to: OURS, text: "", ...text }))

/** Writes deliver_sm under sequence numbers from 1 on, in one write. */
const raw = (carrier: Smsc, bodies: ReadonlyArray<Buffer>, first = 1) =>
  Effect.sync(() =>
    carrier.bound[0]?.raw(Buffer.concat(bodies.map((body, at) => pdu(command.deliver_sm, 0, first + at, body))))
  )

const bodiesOf = (text: Partial<Written>) =>
  written({ from: THEIRS, to: OURS, text: "", ...text }).map((part) => deliverSm(part))

/** The statuses of answers to the sequence numbers of {@link raw}, in the order in which they came. */
const answersOf = (carrier: Smsc) =>
  (carrier.bound[0]?.received ?? []).flatMap((pdu) =>
    pdu.command === "deliver_sm_resp" ? [[pdu.sequence_number, pdu.command_status]] : []
  )

const SENTENCE = "Meine Nummer für Acme bestätigen: 7ZQ4M1X0. Nie für jemand anderen senden."
const EMOJI = "Confirm 7ZQ4M1X0 😀 “quoted” — ".repeat(9)

describe("a text to a number of ours", () => {
  const alphabets: ReadonlyArray<readonly [NonNullable<Written["encoding"]>, string]> = [
    ["gsm7", SENTENCE.repeat(5)],
    ["gsm7", "[{€}] ~ \\ ^ | é Ω_@$".repeat(20)],
    ["ascii", "Verify _@$ 7ZQ4M1X0".repeat(20)],
    ["latin1", SENTENCE.repeat(5)],
    ["ucs2", SENTENCE.repeat(5)],
    ["ucs2", EMOJI],
    ["ucs2", "تأكيد رقمي 7ZQ4M1X0".repeat(9)]
  ]
  for (const [encoding, text] of alphabets) {
    test(
      `is read in ${encoding}: ${text.slice(0, 10)}, in one to five parts, however they are marked`,
      Effect.fnUntraced(function* () {
        const { carrier, count, events } = yield* texting()
        const ways = (["udh8", "udh16", "sar"] as const).flatMap((by) =>
          [false, true].flatMap((isPayload) => [1, 2, 3, 4, 5].map((parts) => ({ by, isPayload, parts })))
        )
        const short = text.slice(0, 60)
        const sent = ways.map(({ parts, ...way }) => ({ ...way, parts, text: parts > 3 ? text : short }))
        for (const each of sent) yield* write(carrier, { ...each, encoding })
        yield* count(sent.length)
        expect(saidIn(events)).toEqual(sent.map((each) => each.text))
        expect(new Set(carrier.acknowledgements)).toEqual(new Set([0]))
      })
    )
  }

  test(
    "says who wrote it, as the carrier does, and to whom",
    Effect.fnUntraced(function* () {
      const { carrier, count, events } = yield* texting()
      yield* write(carrier, { text: "one" })
      yield* write(carrier, { text: "two", from: "015123456789", fromTon: 2, to: "01713920000", toTon: 0 })
      yield* write(carrier, { text: "three", from: "Acme", fromTon: 5 })
      yield* count(3)
      expect(textsOf(events).map(({ from, to }) => [from, to])).toEqual([
        [{ ton: 1, address: "4915123456789" }, OURS],
        [{ ton: 2, address: "015123456789" }, OURS],
        [{ ton: 5, address: "Acme" }, OURS]
      ])
    })
  )

  test(
    "is acknowledged once it is handled, and sent again where that fails",
    Effect.fnUntraced(function* () {
      let failures = 2
      const { carrier, count, events } = yield* texting(() => (failures-- > 0 ? Effect.fail(unavailable) : Effect.void))
      yield* write(carrier, { text: "hello" })
      yield* count(3)
      expect(carrier.acknowledgements).toEqual([0x64, 0x64, 0])
      expect(saidIn(events)).toEqual(["hello", "hello", "hello"])
    })
  )

  test(
    "of parts is answered part by part once it is handled whole",
    Effect.fnUntraced(function* () {
      const stored = yield* Deferred.make<void>()
      const { carrier, count } = yield* texting(() => Deferred.await(stored))
      yield* raw(carrier, bodiesOf({ text: SENTENCE, parts: 3 }))
      yield* count(1)
      yield* settled(carrier)
      expect(answersOf(carrier)).toEqual([])
      yield* Deferred.succeed(stored, undefined)
      yield* until(carrier, () => answersOf(carrier).length === 3)
      expect(answersOf(carrier)).toEqual([
        [1, 0],
        [2, 0],
        [3, 0]
      ])
    })
  )

  test(
    "of parts is asked for again where handling fails, and any of its parts completes it",
    Effect.fnUntraced(function* () {
      let failures = 1
      const { carrier, count, events } = yield* texting(() => (failures-- > 0 ? Effect.fail(unavailable) : Effect.void))
      const bodies = bodiesOf({ text: SENTENCE, parts: 3 })
      yield* raw(carrier, bodies)
      yield* until(carrier, () => answersOf(carrier).length === 3)
      expect(answersOf(carrier).map(([, status]) => status)).toEqual([0x64, 0x64, 0x64])
      yield* raw(carrier, bodies.slice(1, 2), 7)
      yield* count(2)
      expect(saidIn(events)).toEqual([SENTENCE, SENTENCE])
      yield* until(carrier, () => answersOf(carrier).length === 4)
      expect(answersOf(carrier).at(-1)).toEqual([7, 0])
    })
  )

  test(
    "whose part comes again after the answer is not read twice",
    Effect.fnUntraced(function* () {
      const { carrier, count, events } = yield* texting()
      const bodies = bodiesOf({ text: SENTENCE, parts: 2, reference: 7 })
      yield* raw(carrier, bodies)
      yield* until(carrier, () => answersOf(carrier).length === 2)
      yield* raw(carrier, bodies.slice(1), 3)
      yield* until(carrier, () => answersOf(carrier).length === 3)
      // The phone numbers its next text alike.
      yield* raw(carrier, bodiesOf({ text: SENTENCE.toUpperCase(), parts: 2, reference: 7 }), 4)
      yield* count(2)
      expect(saidIn(events)).toEqual([SENTENCE, SENTENCE.toUpperCase()])
    })
  )

  test(
    "is not mixed with those of other phones under the same reference",
    Effect.fnUntraced(function* () {
      const { carrier, count, events } = yield* texting()
      const phones = [1, 2, 3].map((phone) => ({
        from: `${THEIRS.slice(0, -1)}${phone}`,
        text: `${phone} ${SENTENCE}`
      }))
      const bodies = phones.map((phone) => bodiesOf({ ...phone, parts: 2, reference: 7 }))
      yield* raw(
        carrier,
        [0, 1].flatMap((part) => bodies.flatMap((each) => each.slice(part, part + 1)))
      )
      yield* count(3)
      expect(textsOf(events).map(({ from, text }) => [`+${from.address}`, text])).toEqual(
        phones.map(({ from, text }) => [from, text])
      )
    })
  )

  test(
    "may be divided among binds of the carrier, old and new",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startGateway(`${carrier.url(RECEIVES)},${carrier.url()}`)
      yield* linkIs(gateway, 0, true)
      yield* linkIs(gateway, 1, true)
      const { count, events } = yield* collectEvents(gateway)
      const [first, second, third] = bodiesOf({ text: SENTENCE, parts: 3 })
      const [one, other] = carrier.bound
      one?.raw(pdu(command.deliver_sm, 0, 1, first))
      other?.raw(pdu(command.deliver_sm, 0, 1, second))
      yield* settled(carrier)
      one?.socket.destroy()
      yield* until(carrier, () => carrier.bound.length === 2 && carrier.bound.every((session) => session !== one))
      carrier.bound.at(-1)?.raw(pdu(command.deliver_sm, 0, 1, third))
      yield* count(1)
      expect(saidIn(events)).toEqual([SENTENCE])
    })
  )

  test(
    "that reads like a receipt is a text all the same",
    Effect.fnUntraced(function* () {
      const { carrier, count, events } = yield* texting()
      yield* write(carrier, { text: "stat:DELIVRD hello", parts: 2 })
      yield* write(carrier, { text: "err:000 done date:2611211200", parts: 1 })
      yield* count(2)
      expect(saidIn(events)).toEqual(["stat:DELIVRD hello", "err:000 done date:2611211200"])
    })
  )

  test(
    "may come as data_sm",
    Effect.fnUntraced(function* () {
      const { carrier, count, events } = yield* texting()
      const [first, second] = written({ from: THEIRS, to: OURS, text: SENTENCE, parts: 2, isPayload: true })
      for (const [at, part] of [first, second].entries()) {
        carrier.bound[0]?.raw(pdu(command.data_sm, 0, at + 1, dataSm(part ?? {})))
      }
      yield* count(1)
      expect(saidIn(events)).toEqual([SENTENCE])
    })
  )

  test(
    "may be empty, may have 10 KB in one, and may be of ten parts",
    Effect.fnUntraced(function* () {
      const { carrier, count, events } = yield* texting()
      const long = "0123456789".repeat(1_000)
      yield* write(carrier, { text: "" })
      yield* write(carrier, { text: long, isPayload: true })
      yield* write(carrier, { text: long.slice(0, 1_400), parts: 10 })
      yield* count(3)
      expect(saidIn(events)).toEqual(["", long, long.slice(0, 1_400)])
    })
  )
})

describe("an unfinished text", () => {
  timed(
    "is handed on after three seconds without its missing parts, and forgotten after a minute without a part",
    Effect.fnUntraced(function* () {
      const { carrier, events } = yield* texting()
      const bodies = bodiesOf({ text: SENTENCE.repeat(9), parts: 10 })
      yield* raw(carrier, bodies.slice(0, 9))
      yield* settled(carrier)
      expect(answersOf(carrier)).toEqual([])
      yield* passing(() => answersOf(carrier).length === 9)
      expect(new Set(answersOf(carrier).map(([, status]) => status))).toEqual(new Set([0]))
      let passed = 0
      yield* passing(() => ++passed > 130)
      yield* raw(carrier, bodies.slice(9), 20)
      yield* settled(carrier)
      expect(saidIn(events)).toEqual([])
      expect(textsOf(events).map(({ text }) => SENTENCE.repeat(9).startsWith(text))).toEqual([true])
    })
  )

  timed(
    "holds up a carrier with a window of one only the first time",
    Effect.fnUntraced(function* () {
      const { carrier, events } = yield* texting()
      const bodies = bodiesOf({ text: SENTENCE, parts: 4 })
      const waits: Array<number> = []
      for (const [at, body] of bodies.entries()) {
        yield* raw(carrier, [body], at + 1)
        yield* settled(carrier)
        let halves = 0
        yield* passing(() => (halves++, answersOf(carrier).length === at + 1))
        waits.push(halves)
      }
      expect(waits[0]).toBeGreaterThan(5)
      expect(waits.slice(1).every((halves) => halves <= 3)).toBe(true)
      expect(saidIn(events)).toEqual([SENTENCE])
    })
  )
})

describe("a text that is not for us", () => {
  test(
    "is acknowledged and dropped, and its words are nowhere",
    Effect.fnUntraced(function* () {
      const [, log] = yield* logged(
        Effect.gen(function* () {
          const { carrier, events, gateway } = yield* texting()
          yield* write(carrier, { text: "my secret 7ZQ4M1X0", to: "+491713920001" })
          yield* write(carrier, { text: "my secret 7ZQ4M1X0", to: "13920000", toTon: 3 })
          expect(carrier.acknowledgements).toEqual([0, 0])
          expect(events).toEqual([])
          expect((yield* gateway.health)[0]?.unrecognized).toMatchObject([{ kind: "subscriber_text", count: 2 }])
        })
      )
      expect(log).toContain("not in receives=")
      expect(log).not.toContain("secret")
    })
  )
})

describe("a flood of texts", () => {
  test(
    "lets receipts pass, and is taken or asked for again",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url(RECEIVES))
      const order: Array<string> = []
      const gate = yield* Deferred.make<void>()
      yield* gateway.events((event) => {
        order.push(event._tag)
        return event._tag === "Text" ? Deferred.await(gate) : Effect.void
      })
      const text = deliverSm(written({ from: THEIRS, to: OURS, text: "hello" })[0] ?? {})
      const many = Array.from({ length: 20_000 }, () => text)
      const receipt = deliverSm({ text: "id:1 stat:DELIVRD err:000" })
      yield* raw(carrier, [...many, receipt])
      yield* eventually(Effect.sync(() => order.includes("Receipt")))
      expect(order.filter((tag) => tag === "Text").length).toBeLessThan(100)
      yield* Deferred.succeed(gate, undefined)
      yield* until(carrier, () => answersOf(carrier).length === 20_001)
      const statuses = answersOf(carrier).map(([, status]) => status)
      expect(new Set(statuses)).toEqual(new Set([0, 0x64]))
      expect(statuses.filter((status) => status === 0).length).toBe(order.length)
    })
  )
})
