import { describe, expect } from "@effect/vitest"
import { E164 } from "@watchword/schemas/PhoneNumber"
import { Sender } from "@watchword/schemas/Sms"
import { type EncodedText, encode } from "@watchword/sms/EncodedText"
import type { Message } from "@watchword/sms/SmsGateway"
import { link } from "@watchword/sms/smpp"
import { coded, dataCodingOf } from "../../src/internal/smpp/Alphabet.ts"
import { problem, submitSm } from "../../src/internal/smpp/SubmitSm.ts"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as FastCheck from "fast-check"
import { PDU } from "smpp"
import { it } from "vitest"
import { test, timed, turns } from "../../../../test/live.ts"
import { linkIs, message, settled, startBound, startCarrier, told, until } from "./fixture.ts"
import * as wire from "@watchword/sandbox/smsc"

/** A PDU as the codec of another project reads it. */
const readByOthers = ({ frame }: { readonly frame: Buffer }): PDU => new PDU(Buffer.from(frame))

const textOf = ({ short_message: message }: PDU): unknown =>
  typeof message === "object" && message !== null && "message" in message ? message.message : message

describe("a message on the wire", () => {
  test(
    "is a submit_sm that asks for a receipt",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url())
      expect(yield* gateway.send(message("Your code is 123456", { reference: 0x1234 }))).toEqual({
        _tag: "Accepted",
        refs: ["1"],
        details: {}
      })
      expect(carrier.submits.map(readByOthers)[0]).toMatchObject({
        command: "submit_sm",
        service_type: "",
        source_addr_ton: 5,
        source_addr_npi: 0,
        source_addr: "Watchword",
        dest_addr_ton: 1,
        dest_addr_npi: 1,
        destination_addr: "4915123456789",
        esm_class: 0,
        registered_delivery: 1,
        data_coding: 0,
        user_message_reference: 0x1234,
        short_message: { message: "Your code is 123456" }
      })
    })
  )

  test(
    "comes after a bind of version 3.4",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      yield* startBound(carrier.url("system_type=OTP&addr_ton=1&addr_npi=2&address_range=12", "id"))
      expect(carrier.binds.map(readByOthers)[0]).toMatchObject({
        command: "bind_transceiver",
        system_id: "id",
        password: "secret",
        system_type: "OTP",
        interface_version: 0x34,
        addr_ton: 1,
        addr_npi: 2,
        address_range: "12"
      })
    })
  )

  test(
    "arrives as it was written, in any alphabet and of any length",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url())
      const texts = [
        "@£$¥ €{}[]~\\|^",
        "Код 123456",
        "😀 123456",
        "a".repeat(160),
        "a".repeat(161),
        "[€]".repeat(200),
        "ж".repeat(71),
        "😀".repeat(200)
      ]
      for (const text of texts) {
        const before = carrier.submits.length
        const encoded = encode(text)
        const outcome = yield* gateway.send(message(text, { text: encoded, reference: 0xabcd }))
        const parts = carrier.submits.slice(before)
        expect(told(outcome)).toBe("Accepted")
        expect(outcome._tag === "Accepted" && outcome.refs).toEqual(parts.map(({ id }) => id))
        expect(parts.map((part) => textOf(readByOthers(part))).join("")).toBe(text)
        expect(parts.map((part) => readByOthers(part)["data_coding"])).toEqual(
          parts.map(() => (encoded.encoding === "gsm7" ? 0 : 8))
        )
        expect(parts.map(({ part }) => part)).toEqual(
          parts.length === 1 ? [null] : parts.map((_, index) => [0xcd, parts.length, index + 1])
        )
        expect(parts.map((part) => readByOthers(part)["esm_class"])).toEqual(
          parts.map(() => (parts.length === 1 ? 0 : 0x40))
        )
        expect(parts.map(({ reference }) => reference)).toEqual(parts.map(() => 0xabcd))
      }
    })
  )

  const senders = [
    ["Watchword", "", 5, 0, "Watchword"],
    ["A&B '1", "", 5, 0, "A&B '1"],
    ["+4915100000000", "", 1, 1, "4915100000000"],
    ["4915100000000", "", 1, 1, "4915100000000"],
    ["12345", "", 3, 0, "12345"],
    ["12345", "short_code_ton=6&short_code_npi=9", 6, 9, "12345"],
    ["12345678", "", 3, 0, "12345678"],
    ["Watchword", "name_ton=0&name_npi=1", 0, 1, "Watchword"],
    ["+4915100000000", "source_ton=2&source_npi=0", 2, 0, "4915100000000"],
    ["12345", "source_ton=2&name_ton=0", 3, 0, "12345"]
  ] as const
  for (const [sender, settings, ton, npi, address] of senders) {
    test(
      `has the sender ${sender} as ${ton}/${npi} with the settings "${settings}"`,
      Effect.fnUntraced(function* () {
        const carrier = yield* startCarrier()
        const gateway = yield* startBound(carrier.url(settings))
        yield* gateway.send(message("x", { from: Sender.make(sender) }))
        expect(carrier.submits[0]).toMatchObject({ fromTon: ton, fromNpi: npi, from: address })
      })
    )
  }
})

describe("a recipient on the wire", () => {
  const recipients = [
    ["+525512345678", "", 1, 1, "525512345678"],
    ["+525512345678", "dest_ton=0&dest_npi=0", 0, 0, "525512345678"],
    ["+525512345678", "national=52", 2, 1, "5512345678"],
    ["+525512345678", "national=52&dest_ton=0&dest_npi=8", 0, 8, "5512345678"],
    ["+4915123456789", "national=52", 1, 1, "4915123456789"],
    ["+4915123456789", "national=49&national_prefix=0", 2, 1, "015123456789"]
  ] as const
  for (const [to, settings, ton, npi, address] of recipients) {
    test(
      `is ${ton}/${npi} ${address} with the settings "${settings}" for ${to}`,
      Effect.fnUntraced(function* () {
        const carrier = yield* startCarrier()
        const gateway = yield* startBound(carrier.url(settings))
        yield* gateway.send(message("x", { to: E164.make(to) }))
        expect(carrier.submits.map(readByOthers)[0]).toMatchObject({
          dest_addr_ton: ton,
          dest_addr_npi: npi,
          destination_addr: address
        })
      })
    )
  }
})

describe("a text on the wire", () => {
  const web = "@shop.example #123456"
  const texts = [
    ["£ @ _ $ é", "gsm", 0, Buffer.from([0x01, 0x20, 0x00, 0x20, 0x11, 0x20, 0x02, 0x20, 0x05])],
    ["£ @ _ $ é", "latin1", 0, Buffer.from("£ @ _ $ é", "latin1")],
    ["£ @ _ $ é", "ascii", 3, Buffer.from("£ @ _ $ é", "latin1")],
    [web, "latin1", 0, Buffer.from(web)],
    [web, "ascii", 0, Buffer.from(web)],
    ["[~] {1}", "ascii", 0, Buffer.from("[~] {1}")],
    ["5 €", "latin1", 8, Buffer.from("5 €", "utf16le").swap16()],
    ["Δ 1", "ascii", 8, Buffer.from("Δ 1", "utf16le").swap16()],
    ["Код", "latin1", 8, Buffer.from("Код", "utf16le").swap16()]
  ] as const
  for (const [text, alphabet, coding, octets] of texts) {
    test(
      `is ${octets.toString("hex")} under data_coding ${coding} for "${text}" and a carrier of ${alphabet}`,
      Effect.fnUntraced(function* () {
        const carrier = yield* startCarrier()
        const gateway = yield* startBound(carrier.url(`alphabet=${alphabet}`))
        yield* gateway.send(message(text))
        const [{ dataCoding, frame } = { dataCoding: null, frame: Buffer.alloc(0) }] = carrier.submits
        expect(dataCoding).toBe(coding)
        expect(frame.includes(Buffer.concat([wire.octets(coding, 0, octets.length), octets]))).toBe(true)
      })
    )
  }

  test(
    "has the parts that it was priced by in any alphabet",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url("alphabet=latin1"))
      const text = "é[".repeat(80)
      yield* gateway.send(message(text))
      expect(encode(text).parts).toHaveLength(2)
      expect(carrier.submits).toHaveLength(2)
      const parts = carrier.submits.map(({ frame, part }) => [
        part?.slice(1),
        frame.includes(Buffer.from("é[é[", "latin1"))
      ])
      expect(parts).toEqual([
        [[2, 1], true],
        [[2, 2], true]
      ])
    })
  )

  test(
    "that would take more parts in the carrier's alphabet leaves by a link that can carry it, or is refused",
    Effect.fnUntraced(function* () {
      const latin = yield* startCarrier()
      const gsm = yield* startCarrier()
      const text = "5 €".padEnd(71, ".")
      const alone = yield* startBound(latin.url("alphabet=latin1"))
      expect(yield* alone.send(message(text))).toMatchObject({
        _tag: "Rejected",
        failure: { _tag: "BAD_REQUEST", issues: [{ path: "text" }] }
      })
      const both = yield* startBound(`${latin.url("alphabet=latin1")},${gsm.url()}`)
      yield* linkIs(both, 1, true)
      expect(told(yield* both.send(message(text)))).toBe("Accepted")
      expect([latin.submits.length, gsm.submits.length]).toEqual([0, 1])
    })
  )

  test(
    "that waits for a link of another alphabet has no other text wait with it",
    Effect.fnUntraced(function* () {
      const latin = yield* startCarrier()
      const gsm = yield* startCarrier({ bind: () => "silence" })
      const gateway = yield* startBound(`${latin.url("alphabet=latin1")},${gsm.url()}`)
      const waiting = yield* Effect.forkChild(gateway.send(message("5 €".padEnd(71, "."))))
      yield* turns
      expect(told(yield* gateway.send(message("plain")))).toBe("Accepted")
      for (const session of gsm.sessions) {
        session.raw(wire.pdu(wire.resp(wire.command.bind_transceiver), 0, 1, wire.cString("carrier")))
      }
      expect(told(yield* Fiber.join(waiting))).toBe("Accepted")
      expect([latin.submits.length, gsm.submits.length]).toEqual([1, 1])
    })
  )

  it("never loses a character, whatever the alphabet", () => {
    const characters = FastCheck.constantFrom(..."@£$é_[]€Δ\n aZ0~ñ")
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(characters, { maxLength: 400 }).map((each) => each.join("")),
        FastCheck.constantFrom("latin1" as const, "ascii" as const),
        (text, alphabet) => {
          const encoded = encode(text)
          const coding = dataCodingOf(encoded, alphabet)
          if (coding === null) return
          const read = encoded.parts.map((_, part) => {
            const { octets } = coded(encoded, part, alphabet)
            return coding === 8
              ? Buffer.from(octets).swap16().toString("utf16le")
              : Buffer.from(octets).toString("latin1")
          })
          expect(read.join("")).toBe(text)
        }
      )
    )
  })
})

describe("the validity period", () => {
  const cases: ReadonlyArray<readonly [string, Partial<Message>, string, string]> = [
    ["the message's ttl", { ttl: 93_784 }, "", "000001020304000R"],
    ["the ttl before the link's validity", { ttl: 30, hasCode: true }, "validity=60", "000000000030000R"],
    ["the link's validity before that of codes", { hasCode: true }, "validity=604800", "000007000000000R"],
    ["the link's validity for other texts", {}, "validity=3600", "000000010000000R"],
    ["ten minutes for a code", { hasCode: true }, "", "000000001000000R"],
    ["the carrier's own for other texts", {}, "", ""],
    ["the carrier's own where it takes none", { ttl: 30, hasCode: true }, "validity=0", ""]
  ]
  for (const [what, fields, query, expected] of cases) {
    test(
      `is ${what}`,
      Effect.fnUntraced(function* () {
        const carrier = yield* startCarrier()
        const gateway = yield* startBound(carrier.url(query))
        yield* gateway.send(message("a".repeat(200), fields))
        expect(carrier.submits.map(({ frame }) => validityIn(frame))).toEqual([expected, expected])
      })
    )
  }

  timed(
    "is less the time that the message has waited, and a message whose ttl has passed is not sent",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier({ submit: () => "silence" })
      const gateway = yield* startBound(carrier.url("window=1&timeout=300&enquire=3600"), { deadline: "1 minute" })
      yield* Effect.forkChild(gateway.send(message("first")))
      yield* until(carrier, () => carrier.submits.length === 1)
      const waiting = yield* Effect.forkChild(gateway.send(message("waiting", { ttl: 60 })))
      const expired = yield* Effect.forkChild(gateway.send(message("expired", { ttl: 30 })))
      yield* settled(carrier)
      yield* TestClock.adjust("45 seconds")
      carrier.script.submit = () => ({})
      carrier.submits[0]?.answer({})
      expect(told(yield* Fiber.join(waiting))).toBe("Accepted")
      expect(yield* Fiber.join(expired)).toMatchObject({
        _tag: "Rejected",
        failure: { _tag: "TEMPORARY_UNAVAILABLE", message: expect.stringContaining("ttl") }
      })
      expect(carrier.submits.map(({ frame, text }) => [text, validityIn(frame)])).toEqual([
        ["first", ""],
        ["waiting", "000000000015000R"]
      ])
    })
  )
})

/** The validity_period of a submit_sm, which follows an empty schedule_delivery_time. */
const validityIn = (frame: Buffer): string => /\0([0-9]{15}R)\0/.exec(frame.toString("latin1"))?.[1] ?? ""

describe("custom parameters", () => {
  test(
    "are those of the link and the message on every part, the message's where both have one",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url("tlv_1400=PE%20id&tlv_3FFF=link%00"))
      const tlvs = [
        { tag: 0x1401, value: "template" },
        { tag: 0x3fff, value: "message" }
      ]
      yield* gateway.send(message("a".repeat(200), { tlvs }))
      yield* gateway.send(message("next"))
      const endings = carrier.submits.map(({ frame, reference }) => {
        const custom = frame.subarray(
          frame.lastIndexOf(wire.tlv(wire.USER_MESSAGE_REFERENCE, uint16(reference ?? 0))) + 6
        )
        return custom.toString("hex")
      })
      const whole = [wire.tlv(0x1400, "PE id"), wire.tlv(0x3fff, "message"), wire.tlv(0x1401, "template")]
      const plain = [wire.tlv(0x1400, "PE id"), wire.tlv(0x3fff, "link\0")]
      const hex = (parts: ReadonlyArray<Buffer>) => Buffer.concat(parts).toString("hex")
      expect(endings).toEqual([hex(whole), hex(whole), hex(plain)])
    })
  )
})

const uint16 = (value: number): Buffer => wire.octets(value >> 8, value & 0xff)

describe("a message that cannot be written", () => {
  test(
    "is refused before it reaches a carrier",
    Effect.fnUntraced(function* () {
      const carrier = yield* startCarrier()
      const gateway = yield* startBound(carrier.url())
      const texts: ReadonlyArray<EncodedText> = [
        encode("a".repeat(153 * 256)),
        { encoding: "gsm7", parts: [], source: "" },
        { encoding: "gsm7", parts: [new Uint8Array(161)], source: "" }
      ]
      for (const text of texts) {
        expect(yield* gateway.send(message("", { text }))).toMatchObject({
          _tag: "Rejected",
          failure: { _tag: "BAD_REQUEST", issues: [{ path: "text" }] }
        })
      }
      expect(carrier.submits).toEqual([])
    })
  )
})

describe("the addresses", () => {
  const options = link({ host: "h", systemId: "s", password: Redacted.make("p") })
  const odd = FastCheck.array(FastCheck.constantFrom("A", "1", "\0", "\r\n", "ÿ", "Ā", "+", "@", "😀", " "), {
    maxLength: 14
  }).map((characters) => characters.join(""))
  const usual = FastCheck.stringMatching(/^[A-Za-z0-9 _.-]{1,11}$/)
  const address = FastCheck.oneof(FastCheck.string({ unit: "binary", maxLength: 14 }), odd, usual)
  const number = FastCheck.oneof(address, FastCheck.stringMatching(/^\+[1-9][0-9]{6,14}$/))

  it("never run into other fields: they are written as they are, or the message is refused", () => {
    let written = 0
    FastCheck.assert(
      FastCheck.property(number, address, (to, from) => {
        const content = { to, from, text: encode("code"), reference: 0x1234, tlvs: [] }
        if (problem(content) !== undefined) return
        written++
        const pdu = new PDU(submitSm(content, 0, options, { withReference: true, validityPeriod: "" })(7))
        expect(`+${String(pdu["destination_addr"])}`).toBe(to)
        expect(pdu["source_addr"]).toBe(from.replace(/^\+(?=[0-9]+$)/, ""))
        expect(pdu).toMatchObject({
          sequence_number: 7,
          esm_class: 0,
          registered_delivery: 1,
          data_coding: 0,
          short_message: { message: "code" },
          user_message_reference: 0x1234
        })
      }),
      { numRuns: 2000 }
    )
    expect(written).toBeGreaterThan(50)
  })

  it.each([
    ["+4915123456789", "A\0B", "from", "must be 1 to 11 ASCII characters with a letter, or 3 to 15 digits"],
    ["+4915123456789", "Ā", "from", "must be 1 to 11 ASCII characters with a letter, or 3 to 15 digits"],
    ["+4915123456789", "a@b", "from", "must be 1 to 11 ASCII characters with a letter, or 3 to 15 digits"],
    ["+4915123456789", "", "from", "must be 1 to 11 ASCII characters with a letter, or 3 to 15 digits"],
    ["+4915123456789", "twelve chars", "from", "must be 1 to 11 ASCII characters with a letter, or 3 to 15 digits"],
    ["4915123456789", "OK", "to", "must be a plus sign and 7 to 15 digits"],
    ["+49151\0", "OK", "to", "must be a plus sign and 7 to 15 digits"],
    ["+4915123456789\n", "OK", "to", "must be a plus sign and 7 to 15 digits"]
  ])("are refused with the field's name: %j %j", (to, from, path, message) => {
    expect(problem({ to, from, text: encode("x"), reference: 0, tlvs: [] })).toMatchObject({
      _tag: "BAD_REQUEST",
      issues: [{ path, message }]
    })
  })
})
