import { MicroEuros, difference, fromEuros, multiply, sum, toEuros } from "@watchword/schemas/Money"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const LARGEST = 999_999_999_999_999
const amounts = fc.integer({ min: -LARGEST, max: LARGEST }).map((micro) => MicroEuros.make(micro))

/** The decimal notation of an amount, computed only from its digits. */
const decimal = (micro: number): string => {
  const digits = String(Math.abs(micro)).padStart(7, "0")
  return `${micro < 0 ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

describe("fromEuros", () => {
  it.each([
    ["0", 0],
    ["-0", 0],
    ["0.05", 50_000],
    ["0.000001", 1],
    ["-1.5", -1_500_000],
    [" 12.34 ", 12_340_000],
    ["999999999.999999", LARGEST],
    [0, 0],
    [-0, 0],
    [0.05, 50_000],
    [0.000_001, 1],
    [19.99, 19_990_000],
    [1e8, 100_000_000_000_000]
  ])("reads %j", (euros, micro) => {
    expect(fromEuros(euros)).toEqual(Option.some(micro))
  })

  it.each([
    "",
    "-",
    ".5",
    "5.",
    "+1",
    "1,50",
    "1e2",
    "0x10",
    "1_000",
    "--1",
    "1.0000001",
    "1234567890",
    "٣",
    0.1 + 0.2,
    1e-7,
    -1e-7,
    1e9,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY
  ])("refuses %j", (euros) => {
    expect(fromEuros(euros)).toEqual(Option.none())
  })

  it("is exact on every decimal text", () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(fromEuros(decimal(amount))).toEqual(Option.some(amount))
      })
    )
  })

  it("reads back every amount from its JSON number", () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(fromEuros(JSON.parse(JSON.stringify(toEuros(amount))))).toEqual(Option.some(amount))
      }),
      { numRuns: 1000 }
    )
  })

  it("answers any number with a whole amount or none", () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.string()), (euros) => {
        expect(Option.getOrElse(Option.map(fromEuros(euros), Number.isSafeInteger), () => true)).toBe(true)
      })
    )
  })
})

describe("amounts", () => {
  it("are whole numbers", () => {
    expect(Schema.is(MicroEuros)(1.5)).toBe(false)
    expect(Schema.is(MicroEuros)(Number.NaN)).toBe(false)
  })

  it("add, subtract and multiply without loss", () => {
    fc.assert(
      fc.property(amounts, amounts, fc.nat(8), (a, b, times) => {
        expect(BigInt(sum(a, b))).toBe(BigInt(a) + BigInt(b))
        expect(BigInt(difference(a, b))).toBe(BigInt(a) - BigInt(b))
        expect(BigInt(multiply(a, times))).toBe(BigInt(a) * BigInt(times))
      })
    )
  })

  it("are refused where they would lose a digit", () => {
    expect(() => multiply(MicroEuros.make(LARGEST), 10)).toThrow()
    expect(() => sum(MicroEuros.make(Number.MAX_SAFE_INTEGER), MicroEuros.make(1))).toThrow()
  })
})
