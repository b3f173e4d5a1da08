import * as DeliverSm from "../../src/internal/smpp/DeliverSm.ts"
import * as Receipt from "../../src/internal/smpp/Receipt.ts"
import * as ReceiptText from "../../src/internal/smpp/ReceiptText.ts"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import * as wire from "@watchword/sandbox/smsc"

const deliver = (fields: wire.DeliverFields): DeliverSm.DeliverSm | undefined =>
  DeliverSm.read(wire.pdu(wire.command.deliver_sm, 0, 1, wire.deliverSm(fields)))

const read = (fields: wire.DeliverFields): Receipt.Receipt | undefined => {
  const message = deliver(fields)
  return message === undefined ? undefined : Receipt.read(message)
}

const id = (id: string | Buffer) => wire.tlv(wire.RECEIPTED_MESSAGE_ID, id)
const state = (...octets: ReadonlyArray<number>) => wire.tlv(wire.MESSAGE_STATE, wire.octets(...octets))

const TEXT =
  "id:0123456789 sub:001 dlvrd:001 submit date:2611211200 done date:2611211201 stat:DELIVRD err:000 text:Your code is"

describe("the text of a receipt", () => {
  it("is shown in the alphabet in which it has fields, or else in that of its data_coding", () => {
    expect(ReceiptText.decoded(Buffer.from(TEXT, "utf16le").swap16(), 0)).toBe(TEXT)
    expect(ReceiptText.decoded(Buffer.from(TEXT, "latin1"), 8)).toBe(TEXT)
    expect(ReceiptText.decoded(Buffer.from("STOP", "latin1"), 0)).toBe("STOP")
    expect(ReceiptText.decoded(Buffer.from("STOP", "utf16le").swap16(), 8)).toBe("STOP")
    expect(ReceiptText.decoded(Buffer.alloc(0), 0)).toBe("")
  })

  it("is read as the specification has it", () => {
    expect(read({ text: TEXT })).toEqual({
      marked: true,
      id: "0123456789",
      to: "+4915123456789",
      destination: null,
      reference: null,
      status: "delivered",
      carrierStatus: "DELIVRD",
      carrierError: "000"
    })
  })

  it.each([
    ["dates of 12 digits", "submit date:261121120000 done date:261121120103", {}],
    ["dates of 14 digits", "submit date:20261121120000 done date:20261121120103", {}],
    ["dates of zeros", "submit date:0000000000 done date:0000000000", {}],
    ["dates with spaces and colons", "submit date:26-11-21 12:00:00 done date:26-11-21 12:01:03", {}],
    ["no dates", "", {}]
  ])("may have %s", (_, dates) => {
    expect(read({ text: `id:77 sub:001 dlvrd:001 ${dates} stat:UNDELIV err:069 text:x` })).toMatchObject({
      id: "77",
      status: "undelivered",
      carrierStatus: "UNDELIV",
      carrierError: "069"
    })
  })

  it.each([
    ["another order", "stat:DELIVRD err:000 done date:2611211201 id:77 text:x", "77", "DELIVRD", "000"],
    ["text in front", "text:hello id:77 stat:DELIVRD err:1", "77", "DELIVRD", "1"],
    ["capital letters", "ID:77 SUB:001 Stat:Delivrd ERR:000 Text:x", "77", "DELIVRD", "000"],
    ["an error in hexadecimal", "id:77 stat:UNDELIV err:21b text:", "77", "UNDELIV", "21b"],
    ["six letters", "id:77 stat:FAILED err:5", "77", "FAILED", "5"],
    ["spaces after colons", "id: 77 stat: DELIVRD err: 0 text: x", "77", "DELIVRD", "0"],
    ["line breaks", "id:77\r\nstat:DELIVRD\r\nerr:000\r\ntext:x", "77", "DELIVRD", "000"],
    ["commas", "id:77,sub:001,dlvrd:001,stat:DELIVRD,err:000,text:x", "77", "DELIVRD", "000"],
    ["no error", "id:77 stat:EXPIRED", "77", "EXPIRED", null],
    ["no state", "id:77 err:3 text:x", "77", null, "3"],
    ["no id", "sub:001 stat:DELIVRD err:000 text:x", "", "DELIVRD", "000"],
    ["an empty id", "id: sub:001 stat:DELIVRD err: text:x", "", "DELIVRD", null],
    ["an id with an underscore", "id:a_b@c stat:DELIVRD err:000", "a_b@c", "DELIVRD", "000"],
    ["a NUL at its end", "id:77 stat:DELIVRD\0", "77", "DELIVRD", null]
  ])("may have %s", (_, text, id, carrierStatus, carrierError) => {
    expect(read({ text })).toMatchObject({ id, carrierStatus, carrierError })
  })

  it("cannot be forged by the message that it quotes", () => {
    expect(read({ text: "id:77 stat:UNDELIV err:069 text:id:78 stat:DELIVRD err:000" })).toMatchObject({
      id: "77",
      status: "undelivered",
      carrierError: "069"
    })
  })

  it.each([
    ["DELIVRD", "delivered"],
    ["ENROUTE", "sent"],
    ["ACCEPTD", "sent"],
    ["UNKNOWN", "sent"],
    ["UNDELIV", "undelivered"],
    ["EXPIRED", "undelivered"],
    ["DELETED", "undelivered"],
    ["REJECTD", "failed"],
    ["FAILED", "failed"],
    ["DELIVERED", "delivered"],
    ["UNDELIVERABLE", "undelivered"],
    ["UNDELIVERED", "undelivered"],
    ["REJECTED", "failed"],
    ["WHATEVR", null]
  ])("%s means %s", (stat, status) => {
    expect(read({ text: `id:77 stat:${stat} err:000` })).toMatchObject({ status, carrierStatus: stat })
  })

  it("may be in the message payload", () => {
    expect(read({ text: "", parameters: [wire.tlv(wire.MESSAGE_PAYLOAD, TEXT)] })).toMatchObject({
      id: "0123456789",
      status: "delivered"
    })
  })

  it("may be in UCS-2, and behind a user data header", () => {
    const ucs2 = Buffer.from("id:77 stat:DELIVRD err:000", "utf16le").swap16()
    expect(read({ text: ucs2, dataCoding: 8 })).toMatchObject({ id: "77", status: "delivered" })
    const headed = Buffer.concat([wire.octets(5, 0, 3, 1, 1, 1), Buffer.from("id:77 stat:DELIVRD err:000")])
    expect(read({ text: headed, esmClass: 0x44 })).toMatchObject({ id: "77", status: "delivered" })
  })
})

describe("the parameters of a receipt", () => {
  it("beat the text", () => {
    const parameters = [id("abc\0"), state(5), wire.tlv(wire.NETWORK_ERROR_CODE, wire.octets(3, 0, 27))]
    expect(read({ text: TEXT, parameters })).toMatchObject({
      id: "abc",
      status: "undelivered",
      carrierStatus: "UNDELIV",
      carrierError: "027"
    })
  })

  it("are enough without a text", () => {
    expect(read({ parameters: [id("abc\0"), state(2)] })).toEqual({
      marked: true,
      id: "abc",
      to: "+4915123456789",
      destination: null,
      reference: null,
      status: "delivered",
      carrierStatus: "DELIVRD",
      carrierError: null
    })
  })

  it.each([
    [0, "sent", "SCHEDLD"],
    [1, "sent", "ENROUTE"],
    [2, "delivered", "DELIVRD"],
    [3, "undelivered", "EXPIRED"],
    [4, "undelivered", "DELETED"],
    [5, "undelivered", "UNDELIV"],
    [6, "sent", "ACCEPTD"],
    [7, "sent", "UNKNOWN"],
    [8, "failed", "REJECTD"],
    [9, "undelivered", "SKIPPED"]
  ])("know message_state %i as %s", (octet, status, carrierStatus) => {
    expect(read({ parameters: [id("1\0"), state(octet)] })).toMatchObject({ status, carrierStatus })
  })

  it("leave the word to the carrier where both mean the same", () => {
    expect(read({ text: "id:1 stat:FAILED", parameters: [state(8)] })).toMatchObject({
      status: "failed",
      carrierStatus: "FAILED"
    })
  })

  it("have an id without its NUL, and do not read into the next one", () => {
    expect(read({ parameters: [id("abc"), state(2)] })).toMatchObject({ id: "abc", status: "delivered" })
    expect(read({ parameters: [id(""), state(2)], text: TEXT })).toMatchObject({ id: "0123456789" })
  })

  it("give way to the text when message_state has four octets", () => {
    expect(read({ parameters: [id("1\0"), state(0, 0, 0, 0)], text: TEXT })).toMatchObject({ status: "delivered" })
    expect(read({ parameters: [id("1\0"), state(2, 0, 0, 0)], text: "id:1 stat:EXPIRED" })).toMatchObject({
      status: "undelivered"
    })
    expect(read({ parameters: [id("1\0"), state(0, 0, 0, 2)] })).toMatchObject({ status: "delivered" })
    expect(read({ parameters: [id("1\0"), state()] })).toMatchObject({ status: null, carrierStatus: null })
  })

  it("bring back the message's reference", () => {
    const reference = (...octets: ReadonlyArray<number>) =>
      read({ text: TEXT, parameters: [wire.tlv(wire.USER_MESSAGE_REFERENCE, wire.octets(...octets))] })?.reference
    expect(reference(0x12, 0x34)).toBe(0x1234)
    expect(reference(0x34)).toBe(0x34)
    expect(reference(0, 0, 0, 0, 1)).toBeNull()
  })

  it("are left out when they are cut off", () => {
    const cut = Buffer.concat([id("abc\0"), wire.octets(0x04, 0x27, 0, 9, 2)])
    expect(read({ text: "stat:DELIVRD", parameters: [cut] })).toMatchObject({ id: "abc", status: "delivered" })
  })
})

describe("a delivery", () => {
  it("is marked as a receipt by its esm_class or its parameter, and may read like one without", () => {
    expect(read({ esmClass: 0x00, text: TEXT })).toMatchObject({ marked: false, status: "delivered" })
    expect(read({ esmClass: 0x00, parameters: [id("1\0"), state(2)] })).toMatchObject({
      marked: true,
      status: "delivered"
    })
    expect(read({ esmClass: 0x20, text: "id:1 stat:ENROUTE" })).toMatchObject({ marked: true, status: "sent" })
    expect(read({ esmClass: 0x00, text: "STOP" })).toBeUndefined()
    expect(read({ esmClass: 0x00, text: "my id:1" })).toBeUndefined()
    expect(read({ esmClass: 0x08, text: "thanks" })).toBeUndefined()
  })

  it("has its recipient's number where that is international", () => {
    expect(read({ text: TEXT, source: "+4915123456789" })?.to).toBe("+4915123456789")
    expect(read({ text: TEXT, sourceTon: 0 })?.to).toBe("+4915123456789")
    expect(read({ text: TEXT, sourceTon: 2, source: "15123456789" })?.to).toBeNull()
    expect(read({ text: TEXT, source: "015123456789" })?.to).toBeNull()
    expect(read({ text: TEXT, sourceTon: 5, source: "Watchword" })?.to).toBeNull()
    expect(read({ text: TEXT, source: "" })?.to).toBeNull()
  })

  it("may be a data_sm", () => {
    const body = wire.dataSm({ parameters: [id("abc\0"), state(2), wire.tlv(wire.MESSAGE_PAYLOAD, TEXT)] })
    const message = DeliverSm.read(wire.pdu(wire.command.data_sm, 0, 1, body))
    expect(message && Receipt.read(message)).toMatchObject({ id: "abc", status: "delivered" })
  })

  it("may have a validity period that is no time", () => {
    expect(read({ text: TEXT, validityPeriod: "R" })).toMatchObject({ status: "delivered" })
    expect(read({ text: TEXT, validityPeriod: "yesterday" })).toMatchObject({ status: "delivered" })
  })

  it("cannot be read when its fields are cut off", () => {
    const body = wire.deliverSm({ text: TEXT })
    for (let length = 0; length < body.length; length++) {
      expect(DeliverSm.read(wire.pdu(wire.command.deliver_sm, 0, 1, body.subarray(0, length)))).toBeUndefined()
    }
  })
})

describe("any delivery", () => {
  const anyText = FastCheck.oneof(
    FastCheck.string({ unit: "binary" }),
    FastCheck.array(
      FastCheck.constantFrom("id:", "stat:", "err:", "text:", "DELIVRD", " ", "\0", "\r\n", "77", ",")
    ).map((words) => words.join(""))
  )
  const printable = /^[^\u0000-\u001f\u007f]*$/ // oxlint-disable-line no-control-regex

  it("never makes the text parser throw, and nothing unprintable comes out of it", () => {
    FastCheck.assert(
      FastCheck.property(anyText, (text) => {
        const { id, stat, err } = ReceiptText.parse(text)
        for (const field of [id, stat, err]) {
          expect(field.length).toBeLessThanOrEqual(64)
          expect(field).toMatch(printable)
        }
      })
    )
  })

  it("has the first whole parameter of each tag", () => {
    const tag = FastCheck.constantFrom(0x001e, 0x0204, 0x0423)
    const parameter = FastCheck.tuple(tag, FastCheck.uint8Array({ maxLength: 4 }))
    FastCheck.assert(
      FastCheck.property(FastCheck.array(parameter, { maxLength: 5 }), FastCheck.nat(7), (parameters, cut) => {
        const parts = parameters.map(([tag, value]) => wire.tlv(tag, Buffer.from(value)))
        const whole = wire.deliverSm({ text: "x", parameters: parts })
        const bare = wire.deliverSm({ text: "x" }).length
        const body = whole.subarray(0, Math.max(bare, whole.length - cut))
        const expected = new Map<number, string>()
        let end = bare
        for (const [index, [tag, value]] of parameters.entries()) {
          end += parts[index]?.length ?? 0
          if (end <= body.length && !expected.has(tag)) expected.set(tag, Buffer.from(value).toString("hex"))
        }
        const found = DeliverSm.read(wire.pdu(wire.command.deliver_sm, 0, 1, body))?.parameters
        for (const tag of [0x001e, 0x0204, 0x0423]) {
          expect(found?.has(tag)).toBe(expected.has(tag))
          expect(found?.get(tag)?.toString("hex")).toBe(expected.get(tag))
        }
      })
    )
  })

  it("never makes the reader throw on random octets", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.uint8Array({ maxLength: 300 }),
        FastCheck.constantFrom(wire.command.deliver_sm, wire.command.data_sm),
        (octets, command) => {
          const reads = () => {
            const message = DeliverSm.read(wire.pdu(command, 0, 1, Buffer.from(octets)))
            if (message !== undefined) Receipt.read(message)
          }
          expect(reads).not.toThrow()
        }
      )
    )
  })

  it("never makes the reader throw on a receipt with octets changed", () => {
    const whole = wire.deliverSm({ text: TEXT, parameters: [id("abc\0"), state(2)] })
    const change = FastCheck.tuple(FastCheck.nat({ max: whole.length - 1 }), FastCheck.nat({ max: 255 }))
    FastCheck.assert(
      FastCheck.property(FastCheck.array(change, { maxLength: 5 }), (changes) => {
        const body = Buffer.from(whole)
        for (const [offset, octet] of changes) body[offset] = octet
        const message = DeliverSm.read(wire.pdu(wire.command.deliver_sm, 0, 1, body))
        const receipt = message && Receipt.read(message)
        expect([undefined, null, "delivered", "sent", "failed", "undelivered"]).toContain(receipt?.status)
      })
    )
  })

  it("comes out of well-formed fields as it went in, and no field runs into another", () => {
    const field = FastCheck.string({ maxLength: 20 }).map((text) => text.replace(/[^\x21-\x7e]/g, ""))
    FastCheck.assert(
      FastCheck.property(field, field, field, (source, destination, text) => {
        const message = deliver({ source, destination, text, parameters: [id("abc\0"), state(2)] })
        expect(message).toMatchObject({ source: { ton: 1, address: source }, esmClass: 4, octets: Buffer.from(text) })
        return message !== undefined && Receipt.read(message)?.id === "abc"
      })
    )
  })
})
