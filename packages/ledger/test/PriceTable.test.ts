import * as PriceTable from "@watchword/ledger/PriceTable"
import { E164 } from "@watchword/schemas/PhoneNumber"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const british = E164.make("+447700900123")
const german = E164.make("+4915123456789")

const table = (json: unknown): PriceTable.PriceTable => Result.getOrThrow(PriceTable.parse(json))

describe("PriceTable", () => {
  it("takes the longest prefix, a plus sign or not", () => {
    const prices = table({ sms: { "*": 0.05, "44": "0.04", "+447": 0.035 } })
    expect(PriceTable.price(prices, "sms", british, 1)).toBe(35_000)
    expect(PriceTable.price(prices, "sms", E164.make("+442079460000"), 1)).toBe(40_000)
    expect(PriceTable.price(prices, "sms", german, 1)).toBe(50_000)
  })

  it("multiplies by units without rounding", () => {
    expect(PriceTable.price(table({ sms: { "*": "0.000001" } }), "sms", german, 3)).toBe(3)
  })

  it("has no price for a product or a number that nothing matches", () => {
    expect(PriceTable.price(table({ sms: { "44": 0.04 } }), "sms", german, 5)).toBeNull()
    expect(PriceTable.price(table({ sms: { "*": 1 } }), "call", german, 1)).toBeNull()
    expect(PriceTable.price(table({ sms: {} }), "sms", german, 1)).toBeNull()
    expect(PriceTable.price(table({}), "sms", german, 1)).toBeNull()
  })

  it("sells at 0 where the table says 0", () => {
    expect(PriceTable.price(table({ sms: { "44": 0 } }), "sms", british, 5)).toBe(0)
  })

  it("is free where there is no table", () => {
    expect(PriceTable.price(PriceTable.free, "sms", german, 5)).toBe(0)
  })

  it.each([
    [null, ""],
    [[], ""],
    ["0.05", ""],
    [{ fax: {} }, "fax"],
    [{ sms: 0.05 }, "sms"],
    [{ sms: { "4x": 1 } }, "sms.4x"],
    [{ sms: { "": 1 } }, "sms."],
    [{ sms: { "*": -0.01 } }, "sms.*"],
    [{ sms: { "*": "0.0000001" } }, "sms.*"],
    [{ sms: { "*": 1e-7 } }, "sms.*"],
    [{ sms: { "*": "1e-3" } }, "sms.*"],
    [{ sms: { "*": null } }, "sms.*"],
    [{ sms: { "*": Number.NaN } }, "sms.*"],
    [{ sms: { "44": 1, "+44": 2 } }, "sms.+44"]
  ])("refuses %j and says where", (json, path) => {
    const parsed = PriceTable.parse(json)
    expect(Result.isFailure(parsed) && parsed.failure.path).toBe(path)
  })

  it("says which products there are", () => {
    const parsed = PriceTable.parse({ fax: {} })
    expect(Result.isFailure(parsed) && parsed.failure.message).toMatch(/use one of (\w+, )+\w+$/)
  })

  it("agrees with a search through all prefixes", () => {
    const prefix = fc.oneof(
      fc.stringMatching(/^[1-9][0-9]{0,4}$/),
      fc.constantFrom("*", "4", "4477009", "447700900123")
    )
    const prices = fc.dictionary(prefix, fc.integer({ min: 0, max: 9_999_999 }), { maxKeys: 30 })
    const numbers = fc.constantFrom(british, german, E164.make("+14155550123"), E164.make("+33612345678"))
    fc.assert(
      fc.property(prices, numbers, fc.integer({ min: 1, max: 20 }), (byPrefix, to, units) => {
        const json = { sms: Object.fromEntries(Object.entries(byPrefix).map(([key, micro]) => [key, micro / 1e6])) }
        const longest = Object.keys(byPrefix)
          .filter((key) => to.startsWith(`+${key}`))
          .sort((a, b) => b.length - a.length)[0]
        const unit = byPrefix[longest ?? "*"]
        expect(PriceTable.price(table(json), "sms", to, units)).toBe(unit === undefined ? null : unit * units)
      })
    )
  })
})
