import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { csvOf } from "../pages/console/pages/csv.ts"
import { count, numberIn, share, shortId, toneOf } from "../pages/console/words.ts"

describe("a number that is typed", () => {
  it.each([
    ["+49 151 2345-6789", "+4915123456789"],
    [" 0049 (0) 151", "+490151"],
    ["+49\u00a0151\u202c", "+49151"],
    ["acc_01KAJ", "acc_01KAJ"]
  ])("is read from %j", (typed, number) => {
    expect(numberIn(typed)).toBe(number)
  })
})

describe("a file of records", () => {
  const row = {
    id: "sms_1",
    account_id: "acc_1",
    mode: "live",
    channel: "sms",
    to: "+4915123456789",
    status: "failed",
    reason: null,
    price: 0.07,
    created_at: "2027-01-31T12:00:00.000Z"
  }

  it("has a line for each, and numbers as they are", () => {
    expect(csvOf([row])).toBe(
      "created_at,id,account_id,mode,channel,to,status,reason,price\r\n" +
        "2027-01-31T12:00:00.000Z,sms_1,acc_1,live,sms,+4915123456789,failed,,0.07"
    )
  })

  it("has no cell that a spreadsheet takes for a formula, whatever a carrier has said", () => {
    const begins = fc.constantFrom("=", "+", "-", "@", "\t", "\r")
    fc.assert(
      fc.property(begins, fc.string(), (begin, rest) => {
        const said = `${begin}${rest}`
        const cells = csvOf([{ ...row, reason: said }]).slice(csvOf([]).length + 2)
        const isNumber = /^\+\d+$/.test(said)
        expect(/,failed,"?[=+@\t\r-]/.test(cells)).toBe(isNumber)
      })
    )
  })

  it("quotes commas, quotes and lines", () => {
    expect(csvOf([{ ...row, reason: 'a,"b"\nc' }])).toContain(',"a,""b""\nc",')
  })
})

describe("words", () => {
  it("have the tone of what they say", () => {
    expect(["delivered", "failed", "unknown", "sent"].map(toneOf)).toEqual(["good", "bad", "warn", "calm"])
  })

  it("count and compare", () => {
    expect([count(12_480), share(1, 3), share(0, 0)]).toEqual(["12,480", "33 %", "–"])
  })

  it("keep both ends of an id", () => {
    expect([shortId("acc_01KAJ0000000000000000XYZ12"), shortId("short")]).toEqual(["acc_…0XYZ12", "short"])
  })
})
