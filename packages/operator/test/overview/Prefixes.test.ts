import { E164 } from "@watchword/schemas/PhoneNumber"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Sent, attacks, countries } from "../../src/insight/overview/Prefixes.ts"

const sent = (to: string, isApproved = false): Sent => ({ to: E164.make(to), isApproved })

const many = (count: number, to: (index: number) => string, isApproved = false): ReadonlyArray<Sent> =>
  Array.from({ length: count }, (_, index) => sent(to(index), isApproved))

/** Numbers of Nigeria all over an operator's range. */
const nigerian = (index: number): string => `+234803${String((index * 397_219) % 10_000_000).padStart(7, "0")}`
const german = (index: number): string => `+49151${String((index * 7_919_993) % 100_000_000).padStart(8, "0")}`
const american = (index: number): string => `+1212555${String((index * 37) % 10_000).padStart(4, "0")}`
const block = (index: number): string => `+1415555${String(index).padStart(4, "0")}`

describe("attacks", () => {
  it("finds a country whose codes no one enters", () => {
    const all = [...many(25, nigerian), ...many(30, german, true), ...many(19, german)]
    expect(attacks(all)).toEqual([{ country: "NG", prefix: null, unverified: 25, approved: 0 }])
  })

  it("finds a prefix in a country whose other codes are entered", () => {
    const all = [...many(22, block), ...many(60, american, true)]
    expect(attacks(all)).toEqual([{ country: "US", prefix: "+1415555", unverified: 22, approved: 0 }])
  })

  it("finds nothing in few codes, and where one in five is entered", () => {
    expect(attacks(many(19, nigerian))).toEqual([])
    expect(attacks([...many(40, nigerian), ...many(10, nigerian, true)])).toEqual([])
  })

  it("puts the larger one first", () => {
    const all = [...many(22, block), ...many(60, american, true), ...many(40, nigerian)]
    expect(attacks(all).map(({ country }) => country)).toEqual(["NG", "US"])
  })
})

describe("countries", () => {
  it("sums by country and by the prefixes that tell its numbers apart", () => {
    const all = [...many(25, nigerian), ...many(6, block), ...many(9, american), ...many(4, german)]
    expect(countries(all)).toEqual([
      { country: "NG", unverified: 25, approved: 0, prefixes: [{ prefix: "+234803", unverified: 25, approved: 0 }] },
      {
        country: "US",
        unverified: 15,
        approved: 0,
        prefixes: [
          { prefix: "+1212555", unverified: 9, approved: 0 },
          { prefix: "+1415555", unverified: 6, approved: 0 }
        ]
      }
    ])
  })

  it("has one row for numbers of no country", () => {
    expect(countries(many(5, (index) => `+88216${index}123456`))).toMatchObject([{ country: "001", unverified: 5 }])
  })

  it("counts in each row the numbers that begin with its prefix", () => {
    const numbers = fc.tuple(fc.constantFrom(nigerian, german, american, block), fc.nat(2_000), fc.boolean())
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 40, maxLength: 200 }), (drawn) => {
        const all = drawn.map(([to, index, isApproved]) => sent(to(index), isApproved))
        for (const { approved, prefixes, unverified } of countries(all)) {
          expect(unverified).toBeGreaterThanOrEqual(5)
          for (const { prefix, ...sum } of prefixes) {
            const of = all.filter(({ to }) => to.startsWith(prefix))
            const entered = of.filter(({ isApproved }) => isApproved).length
            expect(sum).toEqual({ unverified: of.length - entered, approved: entered })
            expect(sum.unverified).toBeLessThanOrEqual(unverified)
            expect(sum.approved).toBeLessThanOrEqual(approved)
          }
        }
      })
    )
  })
})
