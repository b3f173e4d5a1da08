import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { csvOf } from "../pages/console/pages/csv.ts"
import { DAY, HOUR, costOf, pointsOf, ranked, sumOf } from "../pages/console/pages/traffic/figures.ts"
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

describe("figures of traffic", () => {
  const line = (channel: string, sent: number, delivered: number, approved: number) => {
    const delay = { p50: null, p95: null }
    return { channel, sent, delivered, approved, failed: 0, expired: 0, blocked: 0, cost: 2, price: 0, delay }
  }

  it("have the line first that has lost the most approvals, and not the smallest one", () => {
    const lines = [line("good", 1_000, 990, 900), line("small", 3, 0, 0), line("bad", 1_000, 980, 300)]
    expect(ranked(lines).map(({ channel }) => channel)).toEqual(["bad", "small", "good"])
    expect(ranked([line("a", 9, 9, 0), line("b", 9, 1, 0)])[0]?.channel).toBe("b")
  })

  it("cost nothing that can be said where no number was approved", () => {
    expect([costOf(line("a", 9, 9, 4)), costOf(line("a", 9, 9, 0))]).toEqual([0.5, null])
  })

  it("have a point for each hour, also where nothing was sent, and lose none", () => {
    const hours = fc.array(fc.record({ place: fc.nat(47), sent: fc.nat(99) }))
    const since = Date.UTC(2027, 0, 31, 5)
    fc.assert(
      fc.property(hours, fc.constantFrom(HOUR, DAY), (some, length) => {
        const rows = some.map(({ place, sent }) => ({
          ...line("sms", sent, sent, 0),
          hour: new Date(since + place * HOUR).toISOString()
        }))
        const until = new Date(since + 2 * DAY).toISOString()
        const points = pointsOf({ rows, since: new Date(since).toISOString(), until }, length)
        expect(points.length).toBe(length === HOUR ? 48 : 3)
        expect(sumOf(points)).toEqual(sumOf(rows))
      })
    )
  })
})
