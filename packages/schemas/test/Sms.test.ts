import { fromSchemaError } from "@watchword/schemas/Errors"
import { SendSms, Sender, Text } from "@watchword/schemas/Sms"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const isSender = Schema.is(Sender)
const isText = Schema.is(Text)

describe("Sender", () => {
  it.each([
    "Acme",
    "A",
    "ABCDEFGHIJK",
    "My Shop",
    "R&D-24",
    "o'Neil",
    "a_b.c+d",
    "123",
    "+4915123456789",
    "123456789012345"
  ])("takes %j", (text) => {
    expect(isSender(text)).toBe(true)
  })

  it.each([
    "",
    " ",
    "ABCDEFGHIJKL",
    " Acme",
    "Acme ",
    "12",
    "+12",
    "1234567890123456",
    "1 2 3",
    "...",
    "Ümlaut",
    "Acme\n",
    "Ac\u0000me",
    "Ac\tme",
    "A/B",
    "+Acme+4915123456789",
    "+4407400123456"
  ])("refuses %j", (text) => {
    expect(isSender(text)).toBe(false)
  })

  it("is short and printable with a letter, or 3 to 15 digits", () => {
    const near = fc.array(fc.constantFrom(..."Az09 ._&'+-é/\n"), { maxLength: 16 }).map((each) => each.join(""))
    fc.assert(
      fc.property(near, (text) => {
        const name =
          text.length <= 11 && /[A-Za-z]/.test(text) && text.trim() === text && !/[^A-Za-z0-9 ._&'+-]/.test(text)
        const digits = text.startsWith("+") ? text.slice(1) : text
        const number = digits.length >= 3 && digits.length <= 15 && !/[^0-9]/.test(digits)
        expect(isSender(text)).toBe(name || number)
      }),
      { numRuns: 2000 }
    )
  })
})

describe("Text", () => {
  it.each(["x", "Your code is 1234", "line\nbreak\r\n\ttab", "€ 😀 שלום", "é", "x".repeat(4096), "😀".repeat(4096)])(
    "takes %j",
    (text) => {
      expect(isText(text)).toBe(true)
    }
  )

  it.each(["", "x".repeat(4097), "😀".repeat(4097), `${"😀".repeat(4096)}x`, "\ud83d", "\ude00\ud83d", "a\u007f"])(
    "refuses %j",
    (text) => {
      expect(isText(text)).toBe(false)
    }
  )

  it("refuses control characters but for line breaks, page breaks and tabs", () => {
    const taken = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).filter((character) =>
      isText(`a${character}b`)
    )
    expect(taken).toEqual(["\t", "\n", "\f", "\r"])
  })

  it("counts characters, not code units", () => {
    const characters = fc.constantFrom("a", "é", "€", "😀", "𝒳")
    fc.assert(
      fc.property(fc.array(characters, { minLength: 4090, maxLength: 4102 }), (text) => {
        expect(isText(text.join(""))).toBe(text.length <= 4096)
      }),
      { numRuns: 50 }
    )
  })

  it("takes exactly the well-formed texts without control characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (text) => {
        // oxlint-disable-next-line no-control-regex
        expect(isText(text)).toBe(text.isWellFormed() && !/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/.test(text))
      }),
      { numRuns: 1000 }
    )
  })
})

describe("SendSms", () => {
  it("ignores unknown fields and needs its own", () => {
    const decode = Schema.decodeUnknownSync(SendSms)
    expect(decode({ to: "+4915123456789", text: "1234", other: 1 })).toEqual({ to: "+4915123456789", text: "1234" })
    expect(() => decode({ text: "1234" })).toThrow()
    expect(() => decode({ to: "+4915123456789" })).toThrow()
  })

  it.each([
    [{ ttl: 29 }, "ttl"],
    [{ ttl: 30.5 }, "ttl"],
    [{ ttl: 172_801 }, "ttl"],
    [{ ttl: "60" }, "ttl"],
    [{ tlvs: { "0204": "reserved" } }, "tlvs.0204"],
    [{ tlvs: { "4000": "reserved" } }, "tlvs.4000"],
    [{ tlvs: { "0x1400": "x" } }, "tlvs.0x1400"],
    [{ tlvs: { "1400": "" } }, "tlvs.1400"],
    [{ tlvs: { "1400": "x".repeat(255) } }, "tlvs.1400"],
    [{ tlvs: { "1400": "ü" } }, "tlvs.1400"],
    [{ tlvs: { "1400": "a\0b" } }, "tlvs.1400"],
    [{ tlvs: { "1400": 5 } }, "tlvs.1400"],
    [{ tlvs: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [String(1400 + index), "x"])) }, "tlvs"]
  ])("names what is wrong with %j", (fields, path) => {
    const decoded = Schema.decodeUnknownResult(SendSms)({ to: "+4915123456789", text: "1234", ...fields })
    const issues = Result.isFailure(decoded) ? fromSchemaError(decoded.failure) : []
    expect(issues.map((issue) => issue.path)).toEqual([path])
  })

  it("takes a ttl, and parameters of the vendor's range", () => {
    const body = { to: "+4915123456789", text: "1234", ttl: 30, tlvs: { "1400": "1101", "3fFF": "x\0" } }
    expect(Schema.decodeUnknownSync(SendSms)(body)).toEqual(body)
  })
})
