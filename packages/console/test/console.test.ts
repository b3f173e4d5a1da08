import * as fc from "fast-check"
import { decimalsOf, euros } from "../pages/kit/channels.ts"
import { isMonth, monthName, monthOf, monthsUntil } from "../pages/console/pages/account/months.ts"
import { describe, expect, it } from "vitest"
import { csvOf } from "../pages/console/pages/csv.ts"
import { boundsOf, isoOf, localOf, wrongIn } from "../pages/console/filters/span.ts"
import { prefixIn } from "../pages/console/filters/prefix.ts"
import { DAY, HOUR, costOf, lastMonthOf, pointsOf, ranked, spanOf } from "../pages/console/pages/traffic/figures.ts"
import { dotsOf, labelledOf, pathOf, ticksOf } from "../pages/console/pages/traffic/scale.ts"
import { count, numberIn, ruleName, share, shortId, toneOf } from "../pages/console/words.ts"

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
      "created_at,id,account_id,mode,channel,to,status,reason,price,cost,margin\r\n" +
        "2027-01-31T12:00:00.000Z,sms_1,acc_1,live,sms,+4915123456789,failed,,0.07,,"
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

  it("name the rules of guards", () => {
    expect(["limit_ip", "prefix_blocked", "sim_swapped"].map(ruleName)).toEqual([
      "the limit ip",
      "a block",
      "sim_swapped"
    ])
  })

  it("count and compare", () => {
    expect([count(12_480), share(1, 3), share(0, 0)]).toEqual(["12,480", "33 %", "–"])
  })

  it("keep both ends of an id", () => {
    expect([shortId("acc_01KAJ0000000000000000XYZ12"), shortId("short")]).toEqual(["acc_…0XYZ12", "short"])
  })
})

describe("money", () => {
  it("has the decimals that it needs, as many as the amounts below each other", () => {
    expect([0, 0.05, 0.061, -0.011, 1234.5, 0.000001].map((amount) => euros(amount))).toEqual([
      "€0.00",
      "€0.05",
      "€0.061",
      "-€0.011",
      "€1,234.50",
      "€0.000001"
    ])
    const column = [1, 0.2806, -0.225, 0.16333]
    expect(column.map((amount) => euros(amount, decimalsOf(column)))).toEqual([
      "€1.00000",
      "€0.28060",
      "-€0.22500",
      "€0.16333"
    ])
  })

  it("has the month before as its own, with as many days before it", () => {
    const of = (now: string) => {
      const { before, points, since } = lastMonthOf(Date.parse(now))
      return [new Date(before).toISOString().slice(0, 10), new Date(since).toISOString().slice(0, 10), points]
    }
    expect(of("2027-03-31T23:00:00Z")).toEqual(["2027-01-04", "2027-02-01", 28])
    expect(of("2027-01-01T00:00:00Z")).toEqual(["2026-10-31", "2026-12-01", 31])
  })

  it("is of months as UTC counts them", () => {
    expect(monthsUntil("2027-02", 3)).toEqual(["2027-02", "2027-01", "2026-12"])
    expect([monthOf(Date.UTC(2027, 0, 31, 23, 59)), monthName("2027-01")]).toEqual(["2027-01", "January 2027"])
    expect(["2027-01", "2027-13", "27-01", "x"].map(isMonth)).toEqual([true, false, false, false])
  })
})

describe("figures of traffic", () => {
  const line = (channel: string, sent: number, delivered: number, approved: number) => {
    const delay = { p50: null, p95: null }
    return {
      channel,
      sent,
      delivered,
      approved,
      failed: 0,
      expired: 0,
      blocked: 0,
      price: 3,
      cost: 2,
      margin: 1,
      delay
    }
  }

  it("have the line first that has lost the most approvals, and not the smallest one", () => {
    const lines = [line("good", 1_000, 990, 900), line("small", 3, 0, 0), line("bad", 1_000, 980, 300)]
    expect(ranked(lines).map(({ channel }) => channel)).toEqual(["bad", "small", "good"])
    expect(ranked([line("a", 9, 9, 0), line("b", 9, 1, 0)])[0]?.channel).toBe("b")
  })

  it("cost nothing that can be said where no number was approved", () => {
    expect([costOf(line("a", 9, 9, 4)), costOf(line("a", 9, 9, 0))]).toEqual([0.5, null])
  })

  it("have a point for each hour or day, also where nothing was sent, and lose none", () => {
    const places = fc.uniqueArray(fc.nat(29))
    fc.assert(
      fc.property(places, fc.constantFrom(HOUR, DAY), (some, length) => {
        const span = spanOf(30, length, Date.UTC(2027, 0, 31, 5, 12))
        const at = (place: number) => new Date(span.since + place * length).toISOString()
        const lines = some.map((place) => ({
          ...line("sms", place + 1, 0, 0),
          ...(length === HOUR ? { hour: at(place) } : { day: at(place) })
        }))
        const points = pointsOf(lines, span.since, span)
        expect(points.map((point) => point.at)).toEqual(Array.from({ length: 30 }, (_, place) => at(place)))
        expect(points.flatMap((point, place) => (point.line === null ? [] : [[place, point.line.sent]]))).toEqual(
          some.toSorted((one, other) => one - other).map((place) => [place, place + 1])
        )
      })
    )
  })

  it("have a span that ends with the present hour or day, after one of the same length", () => {
    const now = Date.UTC(2027, 0, 31, 5, 12)
    expect(spanOf(24, HOUR, now)).toEqual({
      length: HOUR,
      points: 24,
      since: Date.UTC(2027, 0, 30, 6),
      before: Date.UTC(2027, 0, 29, 6)
    })
    expect(spanOf(7, DAY, now)).toMatchObject({ since: Date.UTC(2027, 0, 25), before: Date.UTC(2027, 0, 18) })
  })
})

describe("a chart", () => {
  it("has an axis that holds all values and zero, in few round steps", () => {
    const values = fc.array(fc.oneof(fc.constant(null), fc.double({ min: -1e7, max: 1e7, noNaN: true })))
    fc.assert(
      fc.property(values, (some) => {
        const ticks = ticksOf(some)
        const known = some.map((value) => value ?? 0)
        expect(ticks.length).toBeGreaterThan(1)
        expect(ticks.length).toBeLessThan(8)
        expect(ticks).toContain(0)
        const [first = 0, last = 0] = [ticks[0], ticks.at(-1)]
        const room = (last - first) * 1e-6
        expect(known.every((value) => value >= first - room && value <= last + room)).toBe(true)
      })
    )
    expect(ticksOf([1_000_000])).toEqual([0, 500_000, 1_000_000])
    expect(ticksOf([1], 1)).toEqual([0, 1])
    expect(ticksOf([187], 1)).toEqual([0, 50, 100, 150, 200])
    expect(ticksOf([-3, 5])).toEqual([-4, -2, 0, 2, 4, 6])
  })

  it("has labels that do not touch", () => {
    expect(labelledOf(24, 960, 80)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22])
    expect(labelledOf(1, 300, 80)).toEqual([0])
    expect(labelledOf(90, 300, 80).length).toBeLessThan(5)
  })

  it("breaks its line where nothing was sent, and shows what no line reaches as a dot", () => {
    const values = [1, null, 0, 1]
    expect(
      pathOf(
        values,
        (place) => place,
        (value) => value
      )
    ).toBe("M0.0 1.0M2.0 0.0L3.0 1.0")
    expect(dotsOf(values)).toEqual([0, 2, 3])
    expect(dotsOf([...values, ...Array.from({ length: 50 }, () => 1)])).toEqual([0])
  })
})

describe("a filter", () => {
  it.each([
    ["+49 15", { value: "+4915" }],
    ["0049", { value: "+49" }],
    ["", { value: "" }],
    ["+0151", { problem: expect.stringMatching(/calling code/) }],
    ["acme", { problem: expect.stringMatching(/only digits/) }],
    ["+4915123456789", { problem: expect.stringMatching(/at most 7 digits/) }]
  ])("takes the prefix %j, or says why it is not one", (text, read) => {
    expect(prefixIn(text)).toEqual(read)
  })

  it("has bounds of the last hours, or those that were chosen", () => {
    const now = Date.UTC(2027, 0, 31, 5, 12, 33)
    expect(boundsOf("1h", "x", "", now)).toEqual({ since: "2027-01-31T04:12:00.000Z" })
    expect(boundsOf("between", "2027-01-31T04:00:00.000Z", "", now)).toEqual({ since: "2027-01-31T04:00:00.000Z" })
    expect(boundsOf("", "x", "y", now)).toEqual({})
    expect(isoOf(localOf("2027-01-31T04:12:00.000Z"))).toBe("2027-01-31T04:12:00.000Z")
    expect([localOf("nothing"), isoOf("")]).toEqual(["", ""])
    expect(wrongIn("2027-01-31T04:12:00.000Z", "2027-01-31T04:12:00.000Z")).toMatch(/after the beginning/)
    expect(wrongIn("2027-01-31T04:12:00.000Z", "")).toBe(null)
  })
})
